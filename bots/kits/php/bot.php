<?php
// A bot that chooses at random, until you write something better into choose.
declare(strict_types=1);

require __DIR__ . '/referee.php';

/**
 * Returns the options to take: a list of $act->choice->low to $act->choice->high of them, mostly one.
 *
 * $view holds what your seat knows, $act->events what has happened since you were last asked.
 * Draw random numbers with mt_rand, which follows from the seed and the step, and the bot plays a match
 * again as it did before.
 */
function choose(Act $act, View $view): array
{
    $options = $act->choice->options;
    shuffle($options);
    return array_slice($options, 0, mt_rand($act->choice->low, $act->choice->high));
}

serve('choose');

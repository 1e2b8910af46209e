<?php
// Talks to the referee: reads its lines, asks choose, writes the answers.
declare(strict_types=1);

require __DIR__ . '/view.php';

/** What may be answered: low to high of the options. */
final class Choice
{
    public string $kind;
    /** @var list<string> */
    public array $options;
    public int $low;
    public int $high;
}

/** A decision. */
final class Act
{
    public string $id;
    public string $match;
    public int $step;
    public int $seed;
    public Choice $choice;
    public stdClass $clock;
    /** @var list<stdClass> */
    public array $events;
    public View $view;
    /** The message that began the match: game, seat, seats, options. */
    public stdClass $start;
    /** Set it to store a note with the move; replays show it. */
    public ?string $note = null;
    /** Set it to say what the decision cost: ['input_tokens' => 412, 'output_tokens' => 37, 'cost_usd' => 0.0002]. */
    public ?array $usage = null;
}

/** Answers the referee until it closes stdin. */
function serve(callable $choose): void
{
    $start = new stdClass();
    while (($line = fgets(STDIN)) !== false) {
        $message = json_decode($line, false, 512, JSON_THROW_ON_ERROR);
        if ($message->type === 'hello') {
            answer(['type' => 'ready', 'protocol' => 1]);
        } elseif ($message->type === 'start') {
            $start = $message;
        } elseif ($message->type === 'act') {
            $act = read_act($message, $start);
            mt_srand(($act->seed * 31 + $act->step) % 4294967291);
            $moves = $choose($act, $act->view);
            $said = ['id' => $act->id, 'move' => $act->choice->kind === 'one' ? $moves[0] : $moves];
            $more = array_filter(['note' => $act->note, 'usage' => $act->usage], fn ($each) => $each !== null);
            answer($said + $more);
        } elseif ($message->type === 'bye') {
            return;
        }
    }
}

function read_act(stdClass $message, stdClass $start): Act
{
    $act = new Act();
    foreach (['id', 'match', 'step', 'seed', 'clock', 'events'] as $field) {
        $act->$field = $message->$field;
    }
    $act->choice = new Choice();
    $act->choice->kind = $message->choice->kind;
    $act->choice->options = $message->choice->options;
    $act->choice->low = $message->choice->low ?? 1;
    $act->choice->high = $message->choice->high ?? 1;
    $act->view = read_view($message->view);
    $act->start = $start;
    return $act;
}

function answer(array $message): void
{
    fwrite(STDOUT, json_encode($message, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR) . "\n");
}

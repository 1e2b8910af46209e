<?php
// What a bot sees: an object as the README.md of the game describes it.
// `ladder new php NAME --game GAME` writes the types of one game here.
declare(strict_types=1);

final class View extends stdClass
{
}

function read_view(stdClass $data): View
{
    $view = new View();
    foreach ($data as $key => $value) {
        $view->$key = $value;
    }
    return $view;
}

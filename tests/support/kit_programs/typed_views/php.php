<?php
// Reads a view and prints some of its parts.
declare(strict_types=1);

require 'view.php';

$view = read_view(json_decode(stream_get_contents(STDIN), false, 512, JSON_THROW_ON_ERROR));
printf("%d %.2f %s %s\n", $view->for, $view->_2nd, json_encode($view->field), $view->a_b);
printf("%s %s\n", $view->suits[0], $view->suits[1] ?? 'none');
printf('%d: %s', count($view->grid), implode(' ', array_map('count', $view->grid)));
printf("; grid[2][0] = %d\n", $view->grid[2][0]);
echo implode(' ', array_map('json_encode', $view->flags)), "\n";
foreach ($view->bag as $key => $items) {
    printf("%s: %s %s\n", $key, ...$items);
}
printf("%d %s %s\n", $view->who, $view->whom ?? 'none', $view->absent === null ? 'absent' : 'there');
printf("%s %s %s\n", $view->tree->name, $view->tree->left->name, $view->tree->left->left ?? 'none');
printf("%s %s\n", $view->trees[0]->name, $view->trees[1]->name);
printf("%s %d %s\n", $view->pair[0], $view->pair[1], $view->either);

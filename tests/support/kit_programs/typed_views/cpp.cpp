// Reads a view and prints some of its parts.
#include "view.hpp"

#include <cstdio>
#include <iostream>
#include <iterator>

int main()
{
    std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    json_arena arena{};
    const char *error = nullptr;
    View view;
    read_json(json_read(&arena, text.data(), text.size(), &error), view);
    const char *names[] = {"false", "true"};
    std::printf("%lld %.2f %s %s\n", (long long)view.for_, view._2nd, names[view.field], view.a_b.c_str());
    std::cout << *view.suits[0] << (view.suits[1] ? " some\n" : " none\n") << view.grid.size() << ":";
    for (auto &row : view.grid) std::cout << ' ' << row.size();
    std::cout << "; grid[2][0] = " << view.grid[2][0] << '\n';
    for (std::size_t i = 0; i < view.flags.size(); i++) std::cout << (i ? " " : "") << names[view.flags[i]];
    for (auto &[key, items] : view.bag) std::cout << '\n' << key << ": " << items[0] << ' ' << items[1] << '\n';
    std::cout << *view.who << (view.whom ? " some" : " none") << (view.absent ? " there\n" : " absent\n");
    std::cout << view.tree->name << ' ' << view.tree->left->name << (view.tree->left->left ? " some\n" : " none\n");
    std::cout << view.trees[0].name << ' ' << view.trees[1].name << '\n';
    Raw pair = json_first(view.pair);
    std::cout << json_text(pair) << ' ' << json_integer(pair->next) << ' ' << json_text(view.either) << '\n';
    json_clear(&arena);
}

// Turns JSON into values of C++: read_json(value, target). What is missing or of another type leaves the target as it is.
#pragma once

#include "json.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

using Raw = const json *;  // any JSON; see json.h. It is valid until the bot has answered.

inline void read_json(Raw value, Raw &target) { target = value; }

inline void read_json(Raw value, std::string &target)
{
    if (json_text(value)) target.assign(value->text, value->size);
}

inline void read_json(Raw value, std::int64_t &target)
{
    if (value && value->is_integer) target = value->integer;
}

inline void read_json(Raw value, double &target)
{
    if (value && value->kind == JSON_NUMBER) target = value->number;
}

inline void read_json(Raw value, bool &target) { target = json_truth(value); }

template <class T> void read_json(Raw value, std::vector<T> &target)
{
    target.resize(json_count(value));
    std::size_t i = 0;
    for (Raw item = json_first(value); item; item = item->next) {
        T read{};  // not in place: std::vector<bool> has no places
        read_json(item, read);
        target[i++] = std::move(read);
    }
}

template <class T> void read_json(Raw value, std::map<std::string, T> &target)
{
    for (Raw item = json_first(value); item; item = item->next)
        if (item->key) read_json(item, target[std::string(item->key, item->key_size)]);
}

template <class T> void read_json(Raw value, std::optional<T> &target)
{
    if (!json_is_null(value)) read_json(value, target.emplace());
}

template <class T> void read_json(Raw value, std::shared_ptr<T> &target)
{
    if (!json_is_null(value)) read_json(value, *(target = std::make_shared<T>()));
}

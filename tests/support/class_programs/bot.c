#include <stdio.h>
#include <string.h>
int main(void) { static char line[1 << 20];
  while (fgets(line, sizeof line, stdin)) {
    if (strstr(line, "\"type\":\"hello\"")) { puts("{\"type\":\"ready\",\"protocol\":1}"); fflush(stdout); }
    else if (strstr(line, "\"type\":\"act\"")) {
      char id[17]; sscanf(strstr(line, "\"id\":\"") + 6, "%16[0-9a-f]", id);
      char *from = strstr(line, "\"options\":[\"") + 12, *to = strchr(from, '"');
      printf("{\"id\":\"%s\",\"move\":\"%.*s\"}\n", id, (int)(to - from), from); fflush(stdout); } }
  return 0; }

// All headers but those that need libstdc++'s own streams and locales. A program that uses these does not compile here.
#define _GLIBCXX_CODECVT 1
#define _GLIBCXX_FILESYSTEM 1
#define _GLIBCXX_REGEX 1
#define _GLIBCXX_SPANSTREAM 1
#define _GLIBCXX_SYNCSTREAM 1
#include_next <bits/stdc++.h>

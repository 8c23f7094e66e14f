//# value+c++ formatted: stdio.h string.h
static int @f(int a, int b) {
    char text[40];
    int n = $[snprintf(text, sizeof text, :: sprintf(text,] $[$[12 :: 0 :: -7 :: a :: b] == 12 ? "%d" : "%i", $[12 :: 345 :: -6 :: a] :: "%$[0 :: - ::  :: +]$[3..6]d|%x", $[10 :: 77 :: b], $[200 :: 15u :: 0] :: "%s-%c", "$[ab :: hello :: ]", $['x' :: 'A' + (a & 7)] :: "%.$[0..3]f", $[1.5 :: 2.25 :: -0.125 :: 1e3 :: 100.0 / 3] :: "%$[5 :: -5 :: 08].$[1..2]s|", "wxyz" :: "%lu %%", 4000000000ul :: "%u%o", 7u, $[8u :: 64u] :: "%g", $[0.5 :: 100000.0 :: 1e20 :: 3.0] :: "%e", $[1.0 :: 12345.678] :: "%5c%hhd", 'q', $[300 :: 5 :: -1]]);
    return n * 100 + (unsigned char)text[$[0..3]] + b;
}

//# value+c++ scanned: stdio.h
static int @f(int a, int b) {
    int x = a, y = b, n;
    n = sscanf($["12" :: "12 34" :: "x 3" :: "" :: "-5,6" :: "007 1" :: "0x1f 2" :: "9 z"], $["%d" :: "%d %d" :: "%d,%d" :: "%i %i" :: "%2d%d" :: "%*d %d"], &x, &y);
    return n * 1000 + x * 10 + y;
}

//# value+c++ to_number: stdlib.h
static int @f(int a, int b) {
    char *end = 0;
    const char *text = $["123abc" :: "-45" :: "  7" :: "0x1F" :: "077" :: "+9" :: "" :: "zz" :: "2147483647" :: "12 3"];
    long n = $[strtol(text, &end, $[0 :: 10 :: 16 :: 8 :: 36]) :: (long)strtoul(text, &end, $[10 :: 16]) :: atoi(text) :: atol(text) :: (long)strtoll(text, &end, 10)];
    int at = end ? (int)(end - text) : 0;
    return (int)(n % 10007) + at * $[1 :: 100] + (a ^ b);
}

//# value+c++ to_float: stdlib.h
static int @f(int a, int b) {
    char *end = 0;
    double x = $[strtod($t=["1.5x" :: "-2e2" :: ".25" :: "10" :: "abc" :: "0x1p3"], &end) :: atof($["3.75" :: "-0.5" :: "8"]) :: strtof($["2.5" :: "1e1"], &end)];
    return (int)(x * 4) + a - b + (end ? *end : 0);
}

//# value+c++ characters: ctype.h
static int @f(int a, int b) {
    int c = $['a' :: 'Z' :: '5' :: ' ' :: '\n' :: '_' :: 48 + a :: 90 + b];
    int n = $[!!isalpha(c) :: !!isdigit(c) :: !!isspace(c) :: !!isupper(c) :: !!isxdigit(c) :: !!ispunct(c) :: !!isalnum(c) :: !!iscntrl(c) :: !!isprint(c)];
    return n * 200 + $[toupper(c) :: tolower(c) :: c];
}

//# value+c++ strings: string.h
static int @f(int a, int b) {
    char text[32] = "$[alpha :: beta gamma :: xyx :: a]";
    text[a % 3] = 'a' + (b & 3);
    $[strcat(text, "$[tail :: -z]"); :: strncat(text, "many letters", $[1..5]); :: strcpy(text + 2, "$[new :: y]"); :: strncpy(text, "$[q :: long one]", 4); :: ]
    const char *found = $[strchr(text, $['a' :: 'b' :: 'z' :: 'm']) :: strrchr(text, 'a') :: strstr(text, "$[a :: ta :: et]") :: strpbrk(text, "xyz") :: (const char *)memchr(text, 'b', 5)];
    int at = found ? (int)(found - text) : -1;
    return (int)strlen(text) * 10 + at;
}

//# value+c++ compared: string.h
static int @sign(int n) { return (n > 0) - (n < 0); }
static int @f(int a, int b) {
    char x[8] = "$[abc :: abd :: ab]", y[8] = "$[abc :: b :: ABC]";
    x[a & 1] = 'a' + (b & 1);
    int n = $[strcmp(x, y) :: strncmp(x, y, $[0..3]) :: memcmp(x, y, $[1..3]) :: (int)strspn(x, "ab") :: (int)strcspn(x, "$[c :: bd]") :: strcoll(x, y)];
    return 5 + @sign(n) + (a & 3);
}

//# value+c++ tokens: string.h
static int @f(int a, int b) {
    char text[] = "$[one,two;three :: a b  c :: ,x, :: none]";
    int n = 0, sum = 0;
    for (char *t = strtok(text, "$[,; :: , ::  ]"); t; t = strtok(0, "$[,; :: , ::  ]")) {
        n++;
        sum += t[0] & 15;
    }
    return n * 64 + sum + (a & b);
}

//# value+c++ mathematics: math.h
static int @f(int a, int b) {
    double x = $[2 :: 0.5 :: 0 :: 1 :: 9 :: -1.5 :: 2.5 :: 100];
    double y = $[pow(x, $[3 :: 2 :: 0.5 :: -1]) :: sqrt(x * x) :: fabs(x) :: floor(x) :: ceil(x) :: round(x) :: trunc(x) :: fmod(x, 2) :: exp(0 * x) :: log(1 + 0 * x) :: log2(8) + x :: log10(1000) - x :: sin(0 * x) :: cos(0 * x) :: acos(0.0) :: atan2(1.0, 1.0) :: cbrt(27) :: hypot(3, 4) :: fmax(x, 1) :: fmin(x, 1) :: copysign(3, x) :: ldexp(x, 2) :: rint(x) :: exp2(3) :: log1p(0 * x) :: tanh(0 * x) :: fdim(x, 1) :: lround(x) :: asin(1.0) :: cosh(0 * x)];
    return (y == y ? (int)(y * 16) : -99) + (a > b);
}

//# value+c++ math_parts: math.h
static int @f(int a, int b) {
    double whole = 0;
    int e = 0;
    $t=[float :: double] v = a * 0.5$[ :: + 1];
    double y = $[modf(v, &whole) :: frexp(v, &e) :: floor(v) :: (double)lrint(v) :: (double)ilogb(v + 1) :: nearbyint(v) :: fabs(v - b) :: sqrt((double)a * a)];
    int special = $[isnan(v) :: !!signbit(v - 3) :: isinf(v) :: !!isfinite(v) :: v > 2];
    return (int)(y * 8) + (int)whole + e * 3 + special * 50;
}

//# value+c++ integers: stdlib.h strings.h
static int @f(int a, int b) {
    return $[abs(a - b) :: (int)labs(b - a) :: div(a, b + 1).rem :: div(a + 9, b + 1).quot :: ffs(a) :: (int)ldiv(a, 3).quot :: (int)llabs(a - 20)];
}

//# value+c++ sorted: stdlib.h
static int @order(const void *x, const void *y) {
    int p = *(const int *)x, q = *(const int *)y;
    return $[p - q :: q - p :: (p > q) - (p < q)];
}
static int @f(int a, int b) {
    int row[] = {$[5 :: a], 3, b, 9$[ :: , a ^ b]};
    int n = sizeof row / sizeof *row;
    qsort(row, n, sizeof *row, @order);
    $[ :: int *hit = (int *)bsearch(&b, row, n, sizeof *row, @order); if (!hit || *hit != b) return -1;]
    return row[0] * 16 + row[n - 1];
}

//# value+c++ environment: stdlib.h errno.h
static int @f(int a, int b) {
    errno = a;
    int e = errno;
    $[(void)strtol("99999999999999999999", 0, 10); return (errno == ERANGE) + e + b; :: errno = b; return errno + e; :: return e * 2 - b;]
}

//# value wide: wchar.h wctype.h
static int @f(int a, int b) {
    wchar_t text[16] = L"$[wide :: ab]";
    text[a & 1] = L'a' + (b & 7);
    return (int)wcslen(text) * 8 + $[towupper(text[0]) :: (int)(text[1] - L'a') :: !wcscmp(text, L"ab") :: !!iswalpha(text[0]) :: (int)(wcschr(text, L'b') != 0)];
}

//# value+c++ searched_tree: search.h stdlib.h
static int @seen;
static int @order(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }
static void @visit(const void *node, VISIT which, int depth) {
    if (which == postorder || which == leaf)
        @seen = @seen * 4 + **(int *const *)node + (depth > 9);
}
static int @f(int a, int b) {
    int keys[3] = {2, a & 3, b & 3};
    void *root = 0;
    @seen = 0;
    for (int i = 0; i < 3; i++)
        (void)tsearch(&keys[i], &root, @order);
    $[twalk(root, @visit); :: @seen = tfind(&keys[1], &root, @order) != 0;]
    return @seen;
}

//# value+c++ printed: stdio.h
static int @f(int a, int b) {
    char text[] = "$[Apple :: x]";
    text[0] += a & 1;
    $[puts(text); :: printf("%s %d\n", text, b); :: fputs(text, stdout); :: putchar(text[0]); :: fprintf(stdout, "%c\n", text[0]); :: fwrite(text, 1, 1, stdout);]
    $[fflush(stdout); :: ]
    return text[0] + b;
}

//# value+c++ path_parts: libgen.h string.h
static int @f(int a, int b) {
    char path[32] = "$[/usr/lib :: file.c :: dir/ :: /]";
    char *last = $[basename(path) :: dirname(path)];
    return (int)strlen(last) * 4 + last[0] + (a & b);
}

//# value options: unistd.h
static int @f(int a, int b) {
    char name[] = "prog", first[] = "$[-x :: -vn :: word]", second[] = "$[5 :: -v]";
    char *argv[] = {name, first, second, 0};
    int seen = 0, c;
    optind = 1;
    opterr = 0;
    while ((c = getopt(3, argv, "$[x:v :: vn: :: xv]")) != -1)
        seen = seen * 7 + (c & 31);
    return seen + optind + (a ^ b);
}

//# value+c++ memory_helpers: string.h stdlib.h
static int @f(int a, int b) {
    char *copy = $[strdup("$[twin :: ab]") :: strndup("longer", $[2..4])];
    copy[0] = 'a' + (a & 7);
    int n = (int)strlen(copy) * 3 + copy[0] - (b & 1);
    free(copy);
    return n;
}

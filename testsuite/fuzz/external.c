//# value+c++ own_buffer: stdio.h
static char @buffer[64];
static int @f(int a, int b) {
    FILE *file = tmpfile();
    __VERIFIER_assume(file != 0);
    @buffer[0] = 'a' + (a & 7);
    setvbuf(file, @buffer, _IOFBF, sizeof @buffer);
    $[fputs("xyz", file); :: fputc('q', file); :: fprintf(file, "%d", $[1..9]);]
    int c = @buffer[0];
    fclose(file);
    return c + b;
}

//# value+c++ memory_stream: stdio.h stdlib.h
static int @f(int a, int b) {
    char *text = 0;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    __VERIFIER_assume(file != 0);
    fputs($["some text" :: "x" :: "ab"], file);
    $[__VERIFIER_assume(fflush(file) == 0); :: __VERIFIER_assume(fclose(file) == 0); file = 0;]
    int n = (int)size * 4 + (text ? text[0] & 7 : 50);
    if (file)
        fclose(file);
    free(text);
    return n + (a ^ b);
}

//# value+c++ environment: stdlib.h string.h
static char @entry[] = "CLEW_@x=5";
static int @f(int a, int b) {
    $[__VERIFIER_assume(putenv(@entry) == 0); @entry[strlen(@entry) - 1] = '0' + (a & 7); :: __VERIFIER_assume(setenv("CLEW_@x", a > $[1..4] ? "7" : "3", 1) == 0);]
    const char *value = getenv("CLEW_@x");
    return (value ? value[0] : 0) + b;
}

//# value+c++ thread_key: pthread.h
static int @f(int a, int b) {
    pthread_key_t key;
    int x = a, y = b;
    __VERIFIER_assume(pthread_key_create(&key, 0) == 0);
    int failed = pthread_setspecific(key, a > $[1..5] ? &x : &y);
    __VERIFIER_assume(failed == 0);
    int *p = (int *)pthread_getspecific(key);
    *p += $[10..20];
    pthread_key_delete(key);
    return x * 4 + y;
}

//# value+c++ hashed: search.h string.h
static int @f(int a, int b) {
    int x = a, y = b;
    static char name[] = "name", other[] = "other";
    __VERIFIER_assume(hcreate(8));
    ENTRY e = {name, &x}, f = {other, &y};
    __VERIFIER_assume(hsearch(e, ENTER) != 0);
    __VERIFIER_assume(hsearch(f, ENTER) != 0);
    e.key = b & 1 ? name : other;
    ENTRY *hit = hsearch(e, FIND);
    *(int *)hit->data += $[3..9];
    hdestroy();
    return x * 8 + y;
}

//# value+c++ queue: search.h
struct @q { struct @q *next, *previous; int v; };
static int @f(int a, int b) {
    struct @q x = {0, 0, a}, y = {0, 0, b}, z = {0, 0, $[1..9]};
    insque(&x, 0);
    insque(&y, &x);
    insque(&z, &x);
    $[remque(&z); :: remque(&y); :: ]
    int sum = 0;
    for (struct @q *p = &x; p; p = p->next)
        sum = sum * 3 + p->v;
    return sum;
}

//# value+c++ line: stdio.h stdlib.h
static int @f(int a, int b) {
    FILE *file = tmpfile();
    __VERIFIER_assume(file != 0);
    fprintf(file, "one\ntwo %d\n", 7);
    rewind(file);
    char *line = 0;
    size_t size = 0;
    int n = (int)getline(&line, &size, file), m = 1;
    $[m = (int)getline(&line, &size, file); :: ]
    __VERIFIER_assume(n > 0 && m > 0);
    n = n * 8 + m;
    n = n * 8 + (line[0] & 7);
    free(line);
    fclose(file);
    return n + (a & b);
}

//# value made_text: stdlib.h
int asprintf(char **, const char *, ...);
static int @f(int a, int b) {
    char *text = 0;
    int n = asprintf(&text, $["%d" :: "<%d>"], $[12 :: 7]);
    __VERIFIER_assume(n >= 0);
    n = n * 64 + text[0];
    free(text);
    return n + (a ^ b);
}

//# value+c++ mapped: sys/mman.h
static int @f(int a, int b) {
    int *p = (int *)mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    __VERIFIER_assume(p != MAP_FAILED);
    p[a & 7] = b + 1;
    int n = p[$[0..7]] * 2 + p[100];
    munmap(p, 4096);
    return n;
}

//# value+c++ waited_for: sys/epoll.h unistd.h
static int @f(int a, int b) {
    int x = a, y = b, ends[2];
    int queue = epoll_create1(0);
    __VERIFIER_assume(queue >= 0 && pipe(ends) == 0);
    struct epoll_event e = {EPOLLIN, {a > b ? &x : &y}}, got;
    __VERIFIER_assume(epoll_ctl(queue, EPOLL_CTL_ADD, ends[0], &e) == 0);
    __VERIFIER_assume(write(ends[1], "x", 1) == 1 && epoll_wait(queue, &got, 1, 0) == 1);
    *(int *)got.data.ptr += $[5..9];
    close(ends[0]);
    close(ends[1]);
    close(queue);
    return x * 8 + y;
}

//# value+c++ previous_handler: signal.h
static void @first(int n) { (void)n; }
static void @second(int n) { (void)n; }
static int @f(int a, int b) {
    signal(SIGUSR2, @first);
    void (*old)(int) = signal(SIGUSR2, @second);
    __VERIFIER_assume(old != SIG_ERR);
    return (old == @first) * 4 + (old == @second) * 2 + (a & b);
}

//# value+c++ strings_by_system: string.h stdlib.h
static int @f(int a, int b) {
    char text[] = "k=v;x=y", *rest = text, *part = 0;
    $[part = strsep(&rest, ";"); :: part = strtok_r(text, ";", &rest); :: part = stpcpy(text, "ab"); :: part = strchr(text, 'x');]
    $[part[0] = 'a' + (a & 7); :: ]
    return text[0] + text[4] * 2 + (part ? (int)(part - text) : 9) + b;
}

//# value+c++ read_write: unistd.h
static int @f(int a, int b) {
    int ends[2];
    unsigned char out[3] = {(unsigned char)a, (unsigned char)b, 7}, in[3] = {0};
    __VERIFIER_assume(pipe(ends) == 0 && write(ends[1], out, 3) == 3);
    int n = (int)read(ends[0], in, $n=[1..3]);
    __VERIFIER_assume(n == $n);
    close(ends[0]);
    close(ends[1]);
    return in[0] + in[1] * 2 + in[2] + n * 100;
}

//# value+c++ cookie: stdio.h sys/types.h
static FILE *@open(int *a) {
    return $[fmemopen(a, sizeof *a, "r+") :: fmemopen(a, sizeof *a, "w")];
}
static int @f(int a, int b) {
    int x = a;
    FILE *file = @open(&x);
    __VERIFIER_assume(file != 0);
    __VERIFIER_assume(fputc($[1..9], file) != EOF && fclose(file) == 0);
    return (x & 255) + b;
}

//# value+c++ shared_mapping: sys/mman.h stdio.h unistd.h
static int @f(int a, int b) {
    FILE *file = tmpfile();
    __VERIFIER_assume(file != 0 && ftruncate(fileno(file), 4096) == 0);
    int *p = (int *)mmap(0, 4096, PROT_READ | PROT_WRITE, $[MAP_SHARED :: MAP_PRIVATE], fileno(file), 0);
    int *q = (int *)mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    __VERIFIER_assume(p != MAP_FAILED && q != MAP_FAILED);
    p[0] = a;
    q[0] = b + 5;
    int n = p[0];
    fclose(file);
    return n;
}

//# value+c++ kept_setting: stdlib.h
static char @entry[] = "CLEW_@x=5";
static int @f(int a, int b) {
    __VERIFIER_assume(putenv(@entry) == 0);
    char *value = getenv("CLEW_@x");
    value[0] = 'a' + (a & 7);
    return @entry[sizeof @entry - 2] + b;
}

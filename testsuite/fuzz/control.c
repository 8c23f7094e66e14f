//# value+c++ switch_fall
static int @f(int a, int b) {
    int r = 0;
    switch (a % $[4..7]) {
    case 0: r += 1; $[break; :: ]
    case 1: r += b;
    case $[2 :: 3]: r += 3; break;
    default: r = $expr(a, b); $[break; :: ]
    case 5: r -= 2;
    }
    return r;
}

//# value+c++ goto_loop
static int @f(int a, int b) {
    int n = a % 5, r = b;
again:
    if (n <= 0)
        goto done;
    r = (r * 3 + n) & 127;
    n -= $[1 :: 2];
    goto again;
done:
    return r;
}

//# value+c++ nested_loops
static int @f(int a, int b) {
    int r = 0;
    for (int i = 0; i < 1 + a % 3; i++) {
        for (int j = i; j < $[2..4]; j++) {
            if (i == j) $[continue; :: r++;]
            if (r > b) break;
            r += $expr(i, j, b);
        }
    }
    return r;
}

//# value+c++ recursion
static int @rec(int n, int b) {
    if (n <= 0)
        return $[b :: 1 :: b & 7];
    return $[@rec(n - 1, b) + n :: @rec(n - 2, b) * 2 :: b - @rec(n - 1, b) :: @rec(n - 1, b ^ n) + 1];
}
static int @f(int a, int b) {
    return @rec(a % 5, b);
}

//# value+c++ mutual
static int @odd(int n);
static int @even(int n) { return n == 0 ? $[1 :: 5] : @odd(n - 1); }
static int @odd(int n) { return n == 0 ? $[0 :: 7] : @even(n - 1); }
static int @f(int a, int b) {
    return @even(a % 5) * 8 + @odd(b % 4);
}

//# value jump: setjmp.h
static jmp_buf @env;
static void @deep(int n, int b) {
    if (n == $[0..2])
        longjmp(@env, 1 + (b & 3));
    if (n < 3)
        @deep(n + 1, b);
}
static int @f(int a, int b) {
    volatile int x = a;
    int code = setjmp(@env);
    if (code == 0) {
        x += 5;
        @deep(a & 1, b);
        return x;
    }
    return x * 8 + code;
}

//# value jump_nested: setjmp.h
static jmp_buf *@top;
static int @codes;
static void @raise(int code) { longjmp(*@top, code); }
static int @step(int a, int b) {
    if (a > $[1..5]) @raise($[a :: b + 1 :: 0]);
    return a + b;
}
static int @guard(int a, int b) {
    jmp_buf here;
    jmp_buf *outer = @top;
    int code;
    @top = &here;
    if ((code = setjmp(here)) == 0) {
        int r = @step(a, b);
        @top = outer;
        return r;
    }
    @top = outer;
    @codes += code;
    if (code > $[2..9])
        @raise(code $[- 1 :: + b]);
    return -code;
}
static int @f(int a, int b) {
    jmp_buf here;
    volatile int n = 0;
    @codes = 0;
    @top = &here;
    switch (setjmp(here)) {
    case 0: n = @guard(a & 15, b & 7); $[n++; :: ] break;
    case 1: n += 3; break;
    default: n = 50 + @codes;
    }
    return n + @codes;
}

//# value jump_retry: setjmp.h
static jmp_buf @env;
static int @left;
static void @try_(int n) {
    if (@left-- > 0)
        $[longjmp :: _longjmp](@env, n + @left);
}
static int @f(int a, int b) {
    volatile int sum = b;
    int code = _setjmp(@env);
    if (code == 0)
        @left = a % $[2..5];
    sum += code;
    @try_($[0..2]);
    return sum + @left;
}

//# value jump_recursive: setjmp.h
struct @frame { struct @frame *up; jmp_buf env; int depth; };
static struct @frame *@last;
static int @dive(int n, int b) {
    struct @frame f;
    f.up = @last;
    f.depth = n;
    @last = &f;
    int code = sigsetjmp(f.env, $[0..1]);
    @last = f.up;
    if (code != 0) {
        if (code > $[1..3] && f.up != 0) siglongjmp(f.up->env, code - 1);
        return code * 4 + f.depth;
    }
    @last = &f;
    if (n >= $[1..3]) siglongjmp(f.env, 1 + (b & 3));
    code = @dive(n + 1, b) + 1;
    @last = f.up;
    return code;
}
static int @f(int a, int b) {
    @last = 0;
    return @dive(a & 1, b);
}

//# value+c++ short_circuit
static int @count;
static int @bump(int v) { @count++; return v; }
static int @f(int a, int b) {
    @count = 0;
    int r = $[@bump(a > 2) && @bump(b > 1) :: @bump(a > 2) || @bump(b < 3) :: (@bump(a & 1) || @bump(b & 1)) && @bump(a == b)];
    return r + 10 * @count;
}

//# value+c++ do_while
static int @f(int a, int b) {
    int r = a, n = 0;
    do {
        r = r & 1 ? 3 * r + 1 : r / 2;
        n++;
    } while (r != 1 && n < $[3..6] + (b & 1));
    return r + n;
}

//# value+c++ computed_state
static int @f(int a, int b) {
    enum { START, RUN, STOP } s = START;
    int r = 0;
    for (int i = 0; i < 6; i++) {
        switch (s) {
        case START: s = a > $[1..4] ? RUN : STOP; break;
        case RUN: r += b; if (r > 20) s = STOP; break;
        case STOP: r++; break;
        }
    }
    return r;
}

//# value label_values
static int @f(int a, int b) {
    static void *const table[] = {&&one, &&two, &&three};
    int r = b;
    goto *table[a % 3];
one:
    r += 1;
two:
    r *= 2;
three:
    return r;
}

//# value+c++ statics
static int @next(void) {
    static int n = $[0..5];
    n += $[1..3];
    return n;
}
static int @f(int a, int b) {
    int r = 0;
    for (int i = 0; i < a % 4; i++)
        r = @next();
    return r + b;
}

//# value+c++ vla: string.h
static int @f(int a, int b) {
    int n = 1 + a % 4, sum = 0;
    $[int row[n]; :: int *row = (int *)__builtin_alloca(n * sizeof(int));]
    for (int i = 0; i < n; i++)
        row[i] = b + i;
    for (int i = 0; i < n; i++)
        sum += row[i];
    return sum;
}

//# value+c++ calls
static int @f(int a, int b) {
    int x = $call(a & 7, b) & 63;
    return $expr(a, b, x) + x;
}

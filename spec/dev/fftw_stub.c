/* A library for spec/dev/fftw_spec.lua with the interface of FFTW: it sums up slowly, checks what
 * it is called with, and counts. What it pretends to be is chosen by -D: WIDE, NARROW (its
 * numbers), HALF (a function is missing), WRONG, PLANLESS (it has no plan of more than 2). */
#include <complex.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* What the spec reads: plans that are there, calls, and threads in one at the same time. */
int stub_plans, stub_made, stub_calls, stub_most_inside, stub_pause;
static int inside, planning;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

enum { ALIGN = 32 };

typedef struct {
  int n, sign, form; /* c2c, r2c, c2r */
} plan;

static void fail(const char *why) {
  fprintf(stderr, "stub: %s\n", why);
  abort();
}

static void check_arrays(const void *in, const void *out) {
  if ((uintptr_t)in % ALIGN || (uintptr_t)out % ALIGN) fail("arrays that are not aligned");
  if (in == out) fail("in place");
}

/* The planner is for one thread at a time. */
static void *make(int n, int sign, int form, void *in, void *out, unsigned flags) {
  if (__atomic_add_fetch(&planning, 1, __ATOMIC_SEQ_CST) > 1) fail("two threads plan");
  check_arrays(in, out);
  if (flags != 1 << 6 || n < 1) fail("wrong arguments");
  usleep(200);
  plan *p = NULL;
#ifdef PLANLESS
  if (n <= 2)
#endif
    if ((p = malloc(sizeof *p))) *p = (plan){n, sign, form};
  stub_plans += p != NULL, stub_made += p != NULL;
  __atomic_sub_fetch(&planning, 1, __ATOMIC_SEQ_CST);
  return p;
}

static void destroy(void *p) {
  if (__atomic_add_fetch(&planning, 1, __ATOMIC_SEQ_CST) > 1) fail("two threads plan");
  stub_plans--;
  __atomic_sub_fetch(&planning, 1, __ATOMIC_SEQ_CST);
  free(p);
}

/* At the end of the process, after the Lua state is closed. */
__attribute__((destructor)) static void count_plans(void) {
  if (stub_plans != 0) fprintf(stderr, "stub: %d plans are left\n", stub_plans);
}

static void begin(const plan *p, int form, const void *in, const void *out) {
  if (p->form != form) fail("a plan of another form");
  check_arrays(in, out);
  pthread_mutex_lock(&lock);
  stub_calls++;
  if (++inside > stub_most_inside) stub_most_inside = inside;
  pthread_mutex_unlock(&lock);
  if (stub_pause > 0) usleep((useconds_t)stub_pause);
}

static void end(void) {
  pthread_mutex_lock(&lock);
  inside--;
  pthread_mutex_unlock(&lock);
}

static long double complex root(int sign, long j, long k, int n) {
  const long double turn = 2 * 3.14159265358979323846264338327950288L;
  const long double angle = turn * (long double)(j * k % n) / n;
  if (2 * (j * k % n) == n) return -1;
  return cosl(angle) + sign * sinl(angle) * (long double complex)I;
}

#define FUNCTIONS(of, T)                                                        \
  void *of##plan_dft_1d(int n, void *in, void *out, int sign, unsigned flags) { \
    return make(n, sign, 0, in, out, flags);                                    \
  }                                                                             \
  void *of##plan_dft_r2c_1d(int n, void *in, void *out, unsigned flags) {       \
    return make(n, -1, 1, in, out, flags);                                      \
  }                                                                             \
  void *of##plan_dft_c2r_1d(int n, void *in, void *out, unsigned flags) {       \
    return make(n, 1, 2, in, out, flags);                                       \
  }                                                                             \
  void of##destroy_plan(void *p) { destroy(p); }                                \
  int of##offset(void) { return OFFSET; }                                       \
  int of##alignment_of(const void *at) { return (int)((uintptr_t)at % ALIGN); } \
  void of##execute_dft(const void *plan_, void *in, void *out) {                \
    const plan *p = plan_;                                                      \
    const T complex *x = in;                                                    \
    T complex *z = out;                                                         \
    begin(p, 0, in, out);                                                       \
    for (int k = 0; k < p->n; k++) {                                            \
      long double complex sum = of##offset();                                   \
      for (int j = 0; j < p->n; j++) sum += x[j] * root(p->sign, j, k, p->n);   \
      z[k] = (T complex)sum;                                                    \
    }                                                                           \
    end();                                                                      \
  }                                                                             \
  void of##execute_dft_r2c(const void *plan_, void *in, void *out) {            \
    const plan *p = plan_;                                                      \
    const T *x = in;                                                            \
    T complex *z = out;                                                         \
    begin(p, 1, in, out);                                                       \
    for (int k = 0; k <= p->n / 2; k++) {                                       \
      long double complex sum = 0;                                              \
      for (int j = 0; j < p->n; j++) sum += x[j] * root(-1, j, k, p->n);        \
      z[k] = (T complex)sum;                                                    \
    }                                                                           \
    end();                                                                      \
  }                                                                             \
  LAST(of, T)
/* What it reads is lost. */
#define BACK(of, T)                                                              \
  void of##execute_dft_c2r(const void *plan_, void *in, void *out) {             \
    const plan *p = plan_;                                                       \
    T complex *x = in;                                                           \
    T *z = out;                                                                  \
    begin(p, 2, in, out);                                                        \
    for (int k = 0; k < p->n; k++) {                                             \
      long double sum = creall(x[0]);                                            \
      for (int j = 1; j < p->n; j++) {                                           \
        const long double complex v = j <= p->n / 2 ? x[j] : conjl(x[p->n - j]); \
        sum += creall((2 * j == p->n ? creall(v) : v) * root(1, j, k, p->n));    \
      }                                                                          \
      z[k] = (T)sum;                                                             \
    }                                                                            \
    for (int j = 0; j <= p->n / 2; j++) x[j] = NAN;                              \
    end();                                                                       \
  }
#ifdef HALF
#define LAST(of, T)
#else
#define LAST(of, T) BACK(of, T)
#endif
#ifdef WRONG
#define OFFSET 1
#else
#define OFFSET 0
#endif

#ifdef WIDE
FUNCTIONS(fftw_, double)
const char fftw_version[] = "fftw-9.8.7-stub";
#endif
#ifdef NARROW
FUNCTIONS(fftwf_, float)
#endif

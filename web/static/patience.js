/** A signal that ends a request after so many milliseconds. iPads that stay at iPadOS 15 have no AbortSignal.timeout. */
export function within(ms) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}

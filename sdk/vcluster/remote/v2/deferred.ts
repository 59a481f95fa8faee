/** A promise that is settled from outside. */
export interface Deferred<T> {
  readonly promise: Promise<T>
  resolve(value: T): void
  reject(error: unknown): void
}

/** Makes a deferred promise. Its unhandled rejection does not end the process. */
export function deferred<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, 'promise'> = { resolve: () => {}, reject: () => {} }
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject }
  })
  promise.catch(() => {})
  return { promise, ...settle }
}

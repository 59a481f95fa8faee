// Assigns errors that nothing catches to the test in which they occur. load-typescript.mjs gives it to tap in the place
// of async-hook-domain, which does the same by async hooks. Those cost a third of the processor time of a test with
// many promises; an AsyncLocalStorage costs nearly nothing since Node 24.
import { AsyncLocalStorage, executionAsyncResource } from 'node:async_hooks'

/** The domain of the running test. */
const current = new AsyncLocalStorage()
/** The domains whose tests have begun and not ended, oldest first. */
const begun = new Set()
const uncaught = new Set(['uncaughtException', 'unhandledRejection'])

/** Handles the uncaught errors of one test until it is destroyed, then its parent does. */
export class Domain {
  onerror
  parent = current.getStore()
  destroyed = false

  /** tap constructs it in the scope of an AsyncResource, which later runs the test. */
  constructor(onerror) {
    this.onerror = onerror
    const resource = executionAsyncResource()
    if (typeof resource.runInAsyncScope === 'function') this.#follow(resource)
    else begun.add(this)
  }

  destroy() {
    this.destroyed = true
    begun.delete(this)
  }

  #follow(resource) {
    const run = resource.runInAsyncScope
    resource.runInAsyncScope = (callback, self, ...args) =>
      run.call(resource, () => {
        if (!this.destroyed) begun.add(this)
        return current.run(this, () => Reflect.apply(callback, self, args))
      })
  }
}

/** The domain of the failed code; if that is unknown, of the test that began last. */
function responsible() {
  let domain = current.getStore()
  while (domain?.destroyed) domain = domain.parent
  return domain ?? [...begun].at(-1)
}

const emit = process.emit

/** Listeners of a test or of the code under test come first, as without tap. */
process.emit = function (event, ...args) {
  const domain =
    uncaught.has(event) &&
    process.listenerCount(event) === 0 &&
    !process.hasUncaughtExceptionCaptureCallback()
      ? responsible()
      : undefined
  if (domain === undefined) return Reflect.apply(emit, this, [event, ...args])
  domain.onerror(args[0], event)
  return true
}

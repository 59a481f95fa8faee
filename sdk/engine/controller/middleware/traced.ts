import type { Tracing } from '../../observe/tracing.js'
import type { Middleware } from '../run.js'

/** Adds a span to each run of a controller. */
export function traced(tracing: Tracing, controller: string): Middleware {
  return (next) => (run) => {
    const { namespace = '', name } = run.key
    const attributes = { controller, 'k8s.namespace.name': namespace, 'k8s.object.name': name }
    return tracing.span({ name: `reconcile ${controller}`, attributes }, () => next(run))
  }
}

import { modules } from '../../kinds/module-kind.js'
import { workspaces } from '../../kinds/workspace-kind.js'
import type { ModuleOfRun } from '../connection/target-cluster.js'
import type { FrozenDefinition } from '../definition/definition.js'
import { upgradeTarget } from '../installation/upgrade.js'
import type { CallFacts } from './call-definitions.js'
import { InterruptedError } from './call-manager.js'
import { wantsSleep } from './wants-sleep.js'

/** A call that is made, and the Module as it was when the call began. */
export type CallOfRun = Pick<ModuleOfRun, 'module' | 'environment'> & { readonly operation: CallFacts }

/** Why a call is not wanted any more; undefined while it is. */
function interruptionOf(
  { module, environment, operation }: CallOfRun,
  installed: FrozenDefinition | undefined,
): string | undefined {
  const { namespace = '', name = '', uid } = module.metadata
  const current = environment.cluster.store(modules).get({ namespace, name })
  if (operation.kind === 'uninstall') return undefined
  if (!current || current.metadata.uid !== uid || current.metadata.deletionTimestamp)
    return 'the Module is being deleted'
  const shouldSleep = wantsSleep(current, environment.cluster.store(workspaces))
  if (operation.kind === 'sleep' && !shouldSleep) return 'the Module is to wake'
  if ((operation.kind === 'resume' || operation.kind === 'check') && shouldSleep)
    return 'the Module is to sleep'
  if (operation.kind === 'upgrade' && upgradeTarget(current, installed) !== operation.target)
    return 'the Module changed again'
  return undefined
}

/**
 * Aborts the signal of a call when the process stops, and with `InterruptedError` when the call is not wanted any more.
 * Returns a function that ends that.
 */
export function abortIfInterrupted(
  callAbort: AbortController,
  call: CallOfRun,
  installed: () => FrozenDefinition | undefined,
): () => void {
  const { module, environment } = call
  const stop = () => callAbort.abort(environment.stop.reason)
  const check = () => {
    const why = interruptionOf(call, installed())
    if (why) callAbort.abort(new InterruptedError(why))
  }
  environment.stop.addEventListener('abort', stop, { once: true })
  const unsubscribe = environment.onChange(module, check)
  if (environment.stop.aborted) stop()
  check()
  return () => {
    unsubscribe()
    environment.stop.removeEventListener('abort', stop)
  }
}

import type { Run } from '../../engine/controller/run.js'
import type { KubeObject } from '../../engine/kube/object.js'
import { abortSignalOf } from '../../engine/time/cancellation.js'
import type { WiredController } from '../controller/wired-controller.js'
import { Journal } from '../effect/journal.js'
import { RunEffects } from '../effect/run-effects.js'
import type { PrimaryObject } from './primary-object.js'
import type { RunContext } from './run-context.js'

/** The parts of a run that its effects need. */
interface EffectsParts<T extends KubeObject> {
  wired: WiredController<T>
  context: RunContext
  run: Run
  primary: PrimaryObject<T>
}

/** The effects of the object of a run, with the journal as it is in its status. */
export function effectsOf<T extends KubeObject>({
  wired,
  context,
  run,
  primary,
}: EffectsParts<T>): RunEffects<T> {
  const { resource, options, fieldManager, environment } = wired
  const { logger, primary: cluster } = context
  const object = primary.live
  return new RunEffects({
    effects: options.effects ?? {},
    context: {
      object,
      get signal() {
        return abortSignalOf(run.signal)
      },
      logger,
      clock: environment.clock,
    },
    journal: new Journal(object, { cluster, resource, fieldManager: `${fieldManager}.effects` }),
    begun: primary.begunEffects,
    group: resource.group,
  })
}

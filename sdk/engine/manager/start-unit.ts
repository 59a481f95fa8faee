import type { RunningController } from '../controller/running-controller.js'
import type { ShardAssignment } from '../leader/shard-assignment.js'
import type { Unit } from './unit.js'

/** Options of {@link startUnit}. */
export interface StartUnitOptions<C extends RunningController> {
  /** The shards of this process, if replicas share the work. */
  assignment: ShardAssignment | undefined
  /** Ends the work of the unit other than its controller. */
  signal: AbortSignal
  /** Called with the unit's controller. */
  onController: (controller: C) => void
  /** Called with work that begins only when shard 0 is gained. */
  onLater: (work: Promise<void>) => void
}

/** Starts one unit. Work that is not tied to a key runs only on the replica that holds shard 0. */
export async function startUnit<C extends RunningController>(
  unit: Unit<C>,
  { assignment, signal, onController, onLater }: StartUnitOptions<C>,
): Promise<void> {
  const controller = unit.run?.()
  if (controller) onController(controller)
  if (!unit.register) return
  const begin = async () => unit.register?.(signal)
  if (!assignment || assignment.shards.includes(0)) return begin()
  const work = assignment.whenFirst().then(begin)
  // The program awaits it when all units have been started; an earlier failure must not be an unhandled rejection.
  work.catch(() => {})
  onLater(work)
}

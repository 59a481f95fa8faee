// Waiting until the Modules of a test have nothing more to do.
import type { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import type { TestOperator } from '../../../testing/operator/test-operator.js'
import { sleep, systemClock } from '../../engine/time/clock.js'

/** The turns of the event loop in a row without a write after which a program that does nothing more is quiet. */
const quietTurns = 25
/** The time that a run gets in which it writes nothing, in milliseconds of the machine. */
const machineMs = 150

/**
 * Waits until nothing has been written for several turns of the event loop. A run that goes on gets some time of the
 * machine, too, because a busy one needs more turns.
 */
export async function untilQuiet(
  { server, operator }: Pick<TestOperator, 'server' | 'operator'>,
  clock: VirtualClock,
): Promise<void> {
  const isAtWork = (sinceMs: number) => !operator.isIdle() && performance.now() - sinceMs < machineMs
  let lastVersion = ''
  let sinceMs = performance.now()
  for (let turns = 0; turns < quietTurns || isAtWork(sinceMs); turns++) {
    // A run that needs more turns waits for something outside the event loop, which leaves the processor to others.
    await (turns < quietTurns ? clock.settle() : sleep(systemClock, 1))
    if (lastVersion === server.resourceVersion) continue
    turns = 0
    lastVersion = server.resourceVersion
    sinceMs = performance.now()
  }
}

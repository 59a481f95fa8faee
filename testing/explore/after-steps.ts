import { OperatorHarness } from '../scenario/operator-harness.js'
import type { OperatorScenario } from '../scenario/operator-scenario.js'

/** Runs the first steps of a scenario without faults, by default all of them, then `work` on its clusters. */
export async function afterSteps<R>(
  scenario: OperatorScenario,
  work: (harness: OperatorHarness) => Promise<R>,
  steps: readonly string[] = Object.keys(scenario.steps),
): Promise<R> {
  const harness = await OperatorHarness.open(scenario)
  try {
    harness.replicas.start()
    await harness.settle()
    for (const step of steps) {
      await harness.perform(step)
      await harness.settle()
    }
    return await work(harness)
  } catch (error) {
    throw harness.log.explain(error)
  } finally {
    await harness.close()
  }
}

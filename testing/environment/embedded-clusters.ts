import { openEmbeddedRun } from './embedded-run.js'
import type { TestCluster, TestEnvironment } from './test-environment.js'

/** Two embedded clusters in this process, new for each run, in virtual time. */
export const embeddedClusters: TestEnvironment = {
  async open(clock) {
    const { byName, ...run } = await openEmbeddedRun(['virtual', 'host'], clock)
    const { virtual, host } = byName as Record<'virtual' | 'host', TestCluster>
    return { ...run, virtual, host }
  },
}

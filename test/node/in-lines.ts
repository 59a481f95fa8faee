import type { Test } from 'tap'
import type { PodCase } from './cases/pod-case.js'
import type { RealNode } from './real-node.js'

/** Runs lines of cases side by side, as many as the test has jobs. The cases of a line run in their order. */
export async function inLines(
  t: Test,
  node: RealNode,
  lines: readonly (readonly PodCase[])[],
): Promise<void> {
  const running = lines.map((line) =>
    t.test(line.map(({ title }) => title).join('; '), async (t) => {
      for (const { title, skip = false, run } of line) await t.test(title, { skip }, (t) => run(t, node))
    }),
  )
  await Promise.all(running)
}

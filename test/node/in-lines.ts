import type { Test } from 'tap'
import type { PodCase } from './cases/pod-case.js'
import type { RealNode } from './real-node.js'

/** The beginnings of the titles of the cases to run, separated by `|`. Default: all. */
const wanted = new RegExp(`^(${process.env.POD_CASES ?? ''})`)

/** Cases that run one after the other. */
export type Line = readonly PodCase[]

/** The lines of the cases that run here: those that `POD_CASES` names, if it is set. */
export const wantedLines = (lines: readonly Line[]): Line[] =>
  lines.map((line) => line.filter(({ title }) => wanted.test(title))).filter((line) => line.length > 0)

/** Runs lines of cases side by side, as many as the test has jobs. The cases of a line run in their order. */
export async function inLines(t: Test, node: RealNode, lines: readonly Line[]): Promise<void> {
  const running = lines.map((line) =>
    t.test(line.map(({ title }) => title).join('; '), async (t) => {
      for (const { title, skip = false, run } of line) await t.test(title, { skip }, (t) => run(t, node))
    }),
  )
  await Promise.all(running)
}

import type { RealNode } from './real-node.js'

/** The newest helm program of the list in `HELM_PROGRAMS`. */
export const helmProgram = process.env.HELM_PROGRAMS?.split('\n').at(-1) ?? ''

/** The reason why helm cannot be run here; `false` if it can. For tap's `skip`. */
export const missingHelm = () =>
  helmProgram === '' && 'HELM_PROGRAMS is not set: export HELM_PROGRAMS=$(.ci/helm)'

/** Runs helm in the network of a node. */
export const runHelm = (node: RealNode, args: readonly string[]): Promise<string> =>
  node.run(helmProgram, args)

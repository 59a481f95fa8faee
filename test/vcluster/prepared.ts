import memoize from 'lodash/memoize.js'
import type { RealNode } from '../node/real-node.js'
import { commandsOf, isNoRelease, runDocumented } from './documented.js'

/** The images that the chart runs. */
const chartImages = ['localhost/vcluster:0.36.1', 'localhost/vcluster:0.36.0', 'localhost/kubernetes:v1.36.3']

/** Makes what vclusters run known to a node, for all cases once. */
export const withChartImages = memoize((node: RealNode): Promise<void> => node.load(...chartImages))

/** Builds the plugin of docs/install.md as the page says, and makes the definition of cars, for all cases once. */
export const withPluginImage = memoize(async (node: RealNode): Promise<void> => {
  for (const command of commandsOf('sidecar').filter(isNoRelease)) await runDocumented(node, command)
  await node.kubectl('apply', '-f', 'examples/crd-sync/host-samples.yaml')
})

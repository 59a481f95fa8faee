// The example of Modules in Pods: its sample is installed, sleeps, wakes and is uninstalled.
import { until } from '../../until.js'
import { deployExample, sampleOf } from '../deploy-example.js'
import type { RealNode } from '../real-node.js'
import { loadStandIns } from '../stand-in.js'
import type { PodCase } from './pod-case.js'

export const modules: PodCase = {
  title: 'modules: a Module is installed, sleeps, wakes and is uninstalled',
  async run(t, node) {
    await loadStandIns(node, { 'nginx:1.29.4': 80 })
    const { sizes, remove } = await deployExample(t, node, 'modules')
    await node.kubectl('apply', ...sampleOf('modules'))
    // Its schedule would put it to sleep at any time of the day.
    await hibernate(node, { autoHibernation: null, hibernated: false })
    await reaches(node, 'ready')
    await until(async () => (await node.get('deployment', 'shop')).status.readyReplicas === 2)
    await hibernate(node, { hibernated: true })
    await reaches(node, 'sleeped')
    await until(async () => (await node.get('pods', '-l', 'app=shop')).items.length === 0)
    await hibernate(node, { hibernated: false })
    await reaches(node, 'ready')
    await until(async () => (await node.get('deployment', 'shop')).status.readyReplicas === 2)
    await node.kubectl('delete', 'module', 'shop')
    await t.rejects(node.get('deployment', 'shop'), /NotFound/)
    t.comment(`modules ${await sizes()}`)
    await remove()
  },
}

const hibernate = (node: RealNode, spec: object) =>
  node.kubectl('patch', 'workspace', 'dev', '--type=merge', '-p', JSON.stringify({ spec }))

async function reaches(node: RealNode, phase: string): Promise<void> {
  await until(async () => (await node.get('module', 'shop')).status?.phase === phase)
}

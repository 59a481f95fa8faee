// The images of the examples that run without a vcluster, each deployed by `vcluster-plugin manifest`, with samples.
import { missingEngine } from '../../helm/charts.js'
import { until } from '../../until.js'
import { deployExample, sampleOf } from '../deploy-example.js'
import { buildImage, type Loose } from '../real-node.js'
import { loadStandIns } from '../stand-in.js'
import type { PodCase } from './pod-case.js'

export const memcached: PodCase = {
  title: 'memcached: the Deployment of the sample becomes available',
  async run(t, node) {
    await loadStandIns(node, { 'memcached:1.6.39-alpine': 11211 })
    const { sizes, remove } = await deployExample(t, node, 'memcached')
    await node.kubectl('apply', ...sampleOf('memcached'))
    await node.kubectl('wait', 'memcachedbackup/daily', '--for=condition=Available', '--timeout=300s')
    t.equal((await node.get('memcachedbackup', 'daily')).status.nodes.length, 2)
    t.comment(`memcached ${await sizes()}`)
    await remove()
  },
}

export const memcachedHelm: PodCase = {
  title: 'memcached-helm: the chart of the sample is rendered in the Pod and becomes ready',
  skip: missingEngine,
  async run(t, node) {
    await loadStandIns(node, { 'memcached:1.6.39-alpine': 11211 })
    // By all stages of the Dockerfile, because it builds the engine and copies files.
    const entry = ['--build-arg', 'PLUGIN_ENTRY=examples/memcached-helm/main.ts']
    const files = ['--build-arg', 'PLUGIN_FILES=watches.yaml charts crds']
    const image = await buildImage('memcached-helm:v1', '.', ...entry, ...files)
    const { sizes, remove } = await deployExample(t, node, 'memcached-helm', { image })
    await node.kubectl('apply', ...sampleOf('memcached-helm'))
    await until(async () => (await node.get('statefulset', 'sessions')).status.readyReplicas === 3)
    await until(async () => {
      const { status } = await node.get('memcached', 'sessions')
      return status.conditions.some(({ type, status }: Loose) => type === 'Ready' && status === 'True')
    })
    t.comment(`memcached-helm ${await sizes()}, after a release`)
    await node.kubectl('delete', ...sampleOf('memcached-helm'))
    await t.rejects(node.get('statefulset', 'sessions'), /NotFound/)
    // The example memcached has a sample of the same name, whose status lists its Pods.
    await node.kubectl('wait', 'pods', '-l', 'backup=daily', '--for=delete', '--timeout=300s')
    await remove()
  },
}

export const bucket: PodCase = {
  title: 'bucket: an object of the sample is reconciled',
  async run(t, node) {
    const { sizes, remove } = await deployExample(t, node, 'bucket')
    await node.kubectl('apply', ...sampleOf('bucket'))
    await until(async () => (await node.get('bucket', 'photos')).status !== undefined)
    t.comment(`bucket ${await sizes()}`)
    await remove()
  },
}

// A plugin inside the container of a real vcluster, in a Pod: the commands of examples/interceptor/README.md.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PodCase } from '../../node/cases/pod-case.js'
import { buildImage, type Loose } from '../../node/real-node.js'
import { until } from '../../until.js'
import { installVCluster, manifest } from '../real-vcluster.js'

export const inSyncer: PodCase = {
  title: 'a plugin inside a real vcluster',
  async run(t, node) {
    const image = 'interceptor:dev'
    const target = ['--target', 'in-syncer', '--build-arg', 'PLUGIN_ENTRY=examples/interceptor/main.ts']
    await buildImage(image, '.', ...target)
    await node.load(image)
    const values = join(t.testdir(), 'plugin.yaml')
    await writeFile(values, await manifest('examples/interceptor', '--mode', 'in-syncer', '--image', image))
    const vcluster = await installVCluster(t, node, { name: 'inside', values: [values] })
    const { namespace, kubectl } = vcluster

    const isKept = async () => {
      const refused = await kubectl(['delete', 'namespace', 'default']).catch((error: unknown) =>
        String(error),
      )
      return refused.includes('this namespace is kept by a plugin')
    }

    await t.test(
      'the interceptor answers in place of the API server, and lets other requests through',
      async (t) => {
        await until(isKept)
        await kubectl(['create', 'namespace', 'shop'])
        await t.resolves(kubectl(['delete', 'namespace', 'shop']))
      },
    )

    await t.test('its page identifies a caller and asks for its permissions', async (t) => {
      const token = (await kubectl(['create', 'token', 'default'])).trim()
      const { spec } = await node.get('-n', namespace, 'service', 'inside')
      const page = `https://${spec.clusterIP}/plugin/access?namespace=shop`
      const answer = await node.run('curl', ['-sk', '-H', `x-plugin-token: ${token}`, page])
      t.match(JSON.parse(answer), { user: 'system:serviceaccount:default:default', mayListSecrets: false })
      t.match(JSON.parse(await node.run('curl', ['-sk', page])), { message: /send a token/ })
    })

    await t.test('after a restart of the container the interceptor answers again', async (t) => {
      const { metadata } = await vcluster.pod()
      await node.kubectl('-n', namespace, 'exec', metadata.name, '-c', 'syncer', '--', 'sh', '-c', 'kill 1')
      await until(async () => {
        const { status } = await vcluster.pod()
        return status.containerStatuses.every(({ ready, restartCount }: Loose) => ready && restartCount > 0)
      })
      await t.resolves(until(isKept))
    })
  },
}

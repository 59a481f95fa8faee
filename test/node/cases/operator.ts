// An operator in Pods, deployed by each command that the documentation names: webhooks through a Service, two replicas,
// leaders that change, certificates that are renewed.
import { X509Certificate } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import { until } from '../../until.js'
import { isNotFound } from '../api-reads.js'
import { cache, grows, namespace, pods, ready } from '../caches-operator.js'
import { missingHelm, runHelm } from '../helm-program.js'
import { programImage } from '../program-image.js'
import { type RealNode, runProgram } from '../real-node.js'
import { sizesOf } from '../sizes-of.js'
import { evictedOperator } from './evicted-operator.js'
import { leaderChanges } from './leader-changes.js'
import type { PodCase } from './pod-case.js'

const manifest = (...args: string[]) =>
  runProgram('node', ['bin/vcluster-plugin.js', 'manifest', 'test/node/caches', ...args])

/** The first part of {@link operator}. */
export const installedOperator: PodCase = {
  title: 'an operator with webhooks, by manifest',
  async run(t, node) {
    await installed(t, node)
    await uninstalled(t, node)
  },
}

export const operator: PodCase = {
  title: 'an operator with webhooks, by each command that deploys it',
  async run(t, node) {
    const image = await installed(t, node)

    await t.test('the leader changes in every way', (t) => leaderChanges(t, node))

    await t.test('a rolling upgrade refuses no write', async (t) => {
      await ready(node)
      const failures: string[] = []
      let isRolling = true
      const writes = (async () => {
        for (let at = 0; isRolling; at++, await setTimeout(pauseMs))
          await node
            .apply(cache('v1', { size: 8 + at }))
            .catch((error: unknown) => failures.push(String(error)))
      })()
      await node.kubectl('-n', namespace, 'rollout', 'restart', 'deployment/caches')
      await ready(node)
      isRolling = false
      await writes
      t.strictSame(failures, [])
    })

    await uninstalled(t, node)

    await t.test('manifest --chart', { skip: missingHelm() }, async (t) => {
      const folder = t.testdir()
      await manifest('--image', image, '--chart', folder)
      const install = [
        'upgrade',
        '--install',
        'caches',
        folder,
        '-n',
        namespace,
        '--create-namespace',
        '--wait',
      ]
      await runHelm(node, install)
      await grows(node, 4, 'for-chart')
      await runHelm(node, ['uninstall', 'caches', '-n', namespace, '--wait'])
      await node.kubectl('delete', 'crd', 'caches.cache.my.domain', '--wait')
      await node.kubectl(
        'delete',
        'validatingwebhookconfiguration,mutatingwebhookconfiguration',
        'caches',
        '--ignore-not-found',
      )
      await node.kubectl('delete', 'namespace', namespace)
    })

    await t.test('manifest --kustomize, with a certificate that is renewed', async (t) => {
      const folder = t.testdir()
      await manifest('--image', image, '--kustomize', join(folder, 'config'))
      await writeFile(join(folder, 'kustomization.yaml'), JSON.stringify(shortLived))
      await node.kubectl('apply', '--server-side', '-k', folder)
      await ready(node)
      await t.resolves(node.get('-n', namespace, 'networkpolicy', 'caches'))
      await grows(node, 5, 'for-kustomize')
      await renewals(t, node)
    })
  },
  evicted: evictedOperator,
}

/** Deploys it by `manifest`, and verifies that it works. Returns its image. */
async function installed(t: Test, node: RealNode): Promise<string> {
  const image = await programImage('caches:v1', 'test/node/caches/main.ts')
  await node.load(image)
  await t.test('manifest: two replicas, restricted, with webhooks behind a Service', async (t) => {
    const beganMs = performance.now()
    await node.run('kubectl', ['apply', '--server-side', '-f', '-'], await manifest('--image', image))
    await ready(node)
    t.comment(`ready ${Math.round(performance.now() - beganMs)} ms after kubectl apply`)
    await t.rejects(
      node.kubectl('-n', namespace, 'run', 'x', '--image', 'x', '--privileged'),
      /violates PodSecurity/,
    )
    await t.resolves(node.get('validatingwebhookconfiguration', 'caches'), 'a rollout waits for the webhooks')
    await t.test('the kind works', (t) => kindWorks(t, node))
    for (const pod of await pods(node))
      t.comment(`${pod.metadata.name} ${await sizesOf(node, '-n', namespace, pod.metadata.name)}`)
  })
  return image
}

const uninstalled = (t: Test, node: RealNode) =>
  t.test('manifest --uninstall leaves nothing', async (t) => {
    const commands = (await manifest('--uninstall')).split('\n').filter((line) => line.startsWith('kubectl '))
    for (const command of commands) await node.run('sh', ['-c', command])
    await t.rejects(node.get('crd', 'caches.cache.my.domain'), /NotFound/)
    await t.rejects(node.get('namespace', namespace), /NotFound/)
  })

/** A user's changes on top of the generated folder: a certificate that lives 45 s. It is renewed after 30 s. */
const shortLived = {
  resources: ['config'],
  patches: [
    {
      target: { kind: 'Deployment', name: 'caches' },
      patch: JSON.stringify([
        {
          op: 'add',
          path: '/spec/template/spec/containers/0/env/-',
          value: { name: 'CERTIFICATE_SECONDS', value: '45' },
        },
      ]),
    },
  ],
}

/** The time between two calls of all webhooks, in milliseconds. */
const pauseMs = 250

/** Calls all webhooks until the certificate has changed, and the first one has expired. */
async function renewals(t: Test, node: RealNode): Promise<void> {
  const failures: string[] = []
  const note = (error: unknown) => failures.push(String(error))
  const first = await certificate(node)
  for (let size = 6; Date.now() < Date.parse(first.validTo) + 2000; size++) {
    await node.apply(cache('v1', { size }, 'for-kustomize')).catch(note)
    await node.get('caches.v1beta1.cache.my.domain', 'for-kustomize').catch(note)
    await setTimeout(pauseMs)
  }
  t.not((await certificate(node)).serialNumber, first.serialNumber)
  t.strictSame(failures, [])
}

async function certificate(node: RealNode): Promise<X509Certificate> {
  const secret = await node.get('-n', namespace, 'secret', 'caches-webhook-certificate')
  return new X509Certificate(Buffer.from(secret.data['tls.crt'], 'base64'))
}

/** Defaults, validation and conversion of the kind, and its controller. */
async function kindWorks(t: Test, node: RealNode): Promise<void> {
  // After the rollout nothing is stored without the webhooks. Until the API server reaches them it refuses objects.
  await until(() => node.apply(cache('v1beta1', { mebibytes: 5 })).then(() => true))
  const stored = await node.get('caches.v1.cache.my.domain', 'one')
  t.match(stored, { metadata: { labels: { team: 'none' } }, spec: { size: 5 } })
  await t.rejects(node.apply(cache('v1', { size: 3 })), /must not shrink/)
  await grows(node, 6)
  await node.kubectl('delete', 'cache', 'one')
  await until(() => node.get('configmap', 'one').then(() => false, isNotFound))
  await node.apply(cache('v1', { size: 6 }))
}

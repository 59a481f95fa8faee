import t from 'tap'
import { deployments, namespaces, secrets, serviceAccounts, services } from '../../engine/kube/builtin.js'
import { roleBindings, roles } from '../../engine/kube/builtin-policies.js'
import { modules } from '../kinds/module-kind.js'
import { events, moduleOf, shop, startTimed, type TimedTest } from '../module/modules.fixture.js'
import type { ContainersOptions } from './containers-options.js'
import { PlayedRunner, playDeployments } from './runner.fixture.js'

const image = `registry.example/modules/web@sha256:${'a'.repeat(64)}`
const moduleWith = (custom: object, name = 'shop') =>
  moduleOf({ source: undefined, custom, config: { size: 3 } } as never, { name })

async function startContainers(
  t: Parameters<typeof startTimed>[0],
  options: Partial<ContainersOptions> = {},
): Promise<TimedTest & { runner: PlayedRunner; go(ms?: number): Promise<void> }> {
  const runner = new PlayedRunner()
  const url = await runner.listen(t)
  const containers: ContainersOptions = {
    allowImages: ['registry.example/modules/'],
    namespace: 'runners',
    permissions: { workloads: [{ group: 'apps', resource: 'deployments', verbs: ['get', 'patch'] }] },
    imagePullSecrets: ['registry'],
    address: () => url,
    ...options,
  }
  const test = await startTimed(t, { modules: { containers } })
  await test.client.create(namespaces, { metadata: { name: 'runners' } })
  const go = async (ms = 0) => {
    await test.pass(10)
    await playDeployments(test.client)
    await test.pass(ms + 1_500)
  }
  return { ...test, runner, go }
}

const kinds = [deployments, secrets, serviceAccounts, services, roles, roleBindings] as const
const counts = async ({ client }: TimedTest) =>
  Promise.all(
    kinds.map(
      async (kind) =>
        (await client.list(kind as typeof services)).items.filter(({ metadata }) =>
          metadata.name?.startsWith('module-runner-'),
        ).length,
    ),
  )
const errorsOf = async ({ client }: TimedTest) =>
  (await client.list(events)).items
    .filter(({ reason }) => reason === 'InstallError')
    .map(({ message = '' }) => message)
const dataOf = async (test: TimedTest) =>
  JSON.parse((await test.live()).metadata.annotations?.['forkspacer.com/manager-data'] ?? '{}')

void t.test('a container installs, puts to sleep, wakes and uninstalls a Module', async (t) => {
  const test = await startContainers(t)
  const { client, runner } = test
  await client.create(
    modules,
    moduleWith({ image, permissions: ['workloads'], imagePullSecrets: ['registry'] }),
  )
  await test.go()
  const { metadata, status } = await test.live()
  t.match(status, { phase: 'ready', source: 'Custom', program: { name: image } })
  t.strictSame(await dataOf(test), { last: '/install' })
  t.strictSame(await counts(test), [1, 1, 1, 1, 1, 1])
  const at = { namespace: 'runners', name: `module-runner-${metadata.uid}` }
  const { data = {} } = await client.get(secrets, at)
  const token = Buffer.from(data.token ?? '', 'base64').toString()
  t.ok(token.length > 40)
  t.equal(Buffer.from(data.config ?? '', 'base64').toString(), '{"size":3}')
  const [install] = runner.calls
  t.match(install, { path: '/install', metaData: {}, headers: { authorization: `Bearer ${token}` } })
  t.match(install?.headers['idempotency-key'], /^[0-9a-f-]{36}$/)
  const pod = (await client.get(deployments, at)).spec?.template.spec
  t.match(pod, {
    serviceAccountName: at.name,
    automountServiceAccountToken: true,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    imagePullSecrets: [{ name: 'registry' }],
    containers: [
      {
        livenessProbe: { httpGet: { path: '/health' } },
        securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      },
    ],
  })
  const role = await client.get(roles, { namespace: 'default', name: at.name })
  t.match(role.rules, [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'patch'] }])

  await test.change({ hibernated: true })
  await test.go()
  t.match((await test.live()).status, { phase: 'sleeped' })
  t.equal((await client.get(deployments, at)).spec?.replicas, 0, 'a Module that sleeps needs no container')
  await client.delete(deployments, at)
  await test.change({ hibernated: false })
  await test.go()
  t.match((await test.live()).status, { phase: 'ready' })
  t.equal((await client.get(deployments, at)).spec?.replicas, 1, 'a container that is gone comes back')

  await client.delete(modules, shop)
  await test.go()
  await t.rejects(test.live(), { code: 404 })
  t.strictSame(
    runner.calls.map(({ path }) => path),
    ['/install', '/sleep', '/resume', '/uninstall'],
  )
  t.strictSame(new Set(runner.calls.map(({ headers }) => headers.authorization)).size, 1, 'one token')
  t.strictSame(runner.calls.at(-1)?.metaData, { last: '/resume' })
  t.strictSame(await counts(test), [0, 0, 0, 0, 0, 0])
})

void t.test('an error of a container is that of the Module, and is tried again with one key', async (t) => {
  const test = await startContainers(t)
  const { runner } = test
  const answers: Record<number, readonly [number, string?]> = {
    1: [400, 'no room left'],
    2: [500, 'oops'],
    3: [200],
    4: [201, 'no JSON'],
  }
  runner.answer = () => answers[runner.calls.length]
  await test.client.create(modules, moduleWith({ image }))
  await test.go(20_000)
  const messages = await errorsOf(test)
  const expected = [
    /^no room left$/,
    /answered \/install with 500 instead of 201: oops/,
    /answered \/install with 200 instead of 201/,
    /answered \/install with metadata that cannot be read/,
  ]
  for (const one of expected)
    t.ok(
      messages.some((message) => one.test(message)),
      `${one} in ${messages}`,
    )
  t.match((await test.live()).status, { phase: 'ready' })
  t.equal(runner.calls.length, 5)
  t.equal(new Set(runner.calls.map(({ headers }) => headers['idempotency-key'])).size, 1)
})

void t.test('a container that hangs, or is not healthy, is a failed attempt', async (t) => {
  const test = await startContainers(t)
  const { runner } = test
  runner.isHealthy = false
  await test.client.create(modules, { ...moduleWith({ image }) })
  await test.change({ timeout: '1m' })
  await test.go(31_000)
  t.match(
    (await test.live()).status?.message,
    /does not answer GET \/health with 200 within 30 s \(it answered 503\)/,
  )
  t.strictSame(runner.calls, [])
  runner.isHealthy = true
  runner.answer = () => (runner.calls.length === 1 ? 'hang' : undefined)
  await test.pass(70_000)
  t.match(await errorsOf(test), [/does not answer GET/, /install took longer than 60 s/])
  t.match((await test.live()).status, { phase: 'ready' })
})

void t.test('only images, permissions and pull secrets of the options are used', async (t) => {
  const test = await startContainers(t)
  const refused: [string, object, RegExp][] = [
    [
      'foreign',
      { image: 'docker.io/evil/web:1' },
      /"docker.io\/evil\/web:1" is not allowed: use one of containers.allowImages/,
    ],
    ['dots', { image: 'registry.example/modules/../evil' }, /is not a reference to an image/],
    [
      'prefix',
      { image: 'registry.example/modules-evil/web' },
      /is not allowed: use one of containers.allowImages/,
    ],
    ['root', { image, permissions: ['admin'] }, /does not allow the permission "admin": it allows workloads/],
    ['secret', { image, imagePullSecrets: ['other'] }, /does not allow the pull secret "other"/],
    ['both', { image, program: { url: 'https://a.example' } }, /has an image and a program/],
    ['none', {}, /needs an image or a program/],
  ]
  for (const [name, custom] of refused) await test.client.create(modules, moduleWith(custom, name))
  await test.go()
  for (const [name, , message] of refused) {
    const { status } = await test.live(name)
    t.match(status, { phase: 'failed', message, operation: { permanent: true } })
  }
  t.strictSame(await counts(test), [0, 0, 0, 0, 0, 0])
  for (const [name] of refused) await test.client.delete(modules, { ...shop, name })
  await test.pass(0)
  t.strictSame((await test.client.list(modules)).items, [], 'nothing was installed')
})

void t.test('a frozen definition that somebody edits gets no other image', async (t) => {
  const test = await startContainers(t)
  await test.client.create(modules, moduleWith({ image }))
  await test.go()
  const text = (await test.live()).metadata.annotations?.['forkspacer.com/resource'] ?? ''
  const annotations = { 'forkspacer.com/resource': text.replace(image, 'docker.io/evil/web:1') }
  await test.client.patch(modules, shop, { type: 'merge', body: { metadata: { annotations } } })
  await test.change({ hibernated: true })
  await test.go()
  t.match((await test.live()).status, {
    phase: 'failed',
    message: /is not allowed: use one of containers.allowImages/,
  })
  const { items } = await test.client.list(deployments)
  t.strictSame(
    items.map(({ spec }) => spec?.template.spec?.containers[0]?.image),
    [image],
  )
})

void t.test('without the option there are no containers', async (t) => {
  const test = await startTimed(t)
  await test.client.create(modules, moduleWith({ image }))
  await test.pass(0)
  t.match((await test.live()).status, {
    phase: 'failed',
    message: /containers do not run here: set containers/,
  })
})

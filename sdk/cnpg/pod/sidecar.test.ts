import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { testCnpgOperator, testCnpgPlugin } from '../../../testing/cnpg/index.js'
import { silentLogger } from '../../engine/observe/logger.js'
import type { CnpgPlugin } from '../cnpg-plugin.js'
import { PluginRuntime } from '../plugin.js'
import { addSidecar, type WithPodSpec } from './sidecar.js'

const sidecar = { name: 'archive', image: 'example.org/archive:1' }
const restricted = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } }
const mount = { name: 'plugins', mountPath: '/plugins' }
const pluginOf = () =>
  new PluginRuntime({ name: 'a.example.org', version: '1', logger: silentLogger, env: {}, args: [] })

void t.test('in instances only postgres gets the folder of sockets', async (t) => {
  const pod: WithPodSpec = { spec: { containers: [{ name: 'postgres' }, { name: 'exporter' }] } }
  addSidecar(pod, sidecar)
  addSidecar(pod, sidecar)
  t.same(pod.spec, {
    containers: [{ name: 'postgres', volumeMounts: [mount] }, { name: 'exporter' }],
    initContainers: [
      { ...sidecar, securityContext: restricted, restartPolicy: 'Always', volumeMounts: [mount] },
    ],
    volumes: [{ name: 'plugins', emptyDir: {} }],
  })
})

void t.test('in Jobs, whose container has another name, every container gets it', async (t) => {
  const template: WithPodSpec = { spec: { containers: [{ name: 'full-recovery' }] } }
  addSidecar(template, sidecar)
  t.same(template.spec?.containers, [{ name: 'full-recovery', volumeMounts: [mount] }])
})

/** The container of Postgres as operator 1.30 makes it, shortened. */
const postgres = {
  name: 'postgres',
  env: [
    { name: 'PGDATA', value: '/var/lib/postgresql/data/pgdata' },
    { name: 'LOG', value: 'of postgres' },
  ],
  envFrom: [{ secretRef: { name: 'extra' } }],
  volumeMounts: [
    { name: 'pgdata', mountPath: '/var/lib/postgresql/data' },
    { name: 'scratch-data', mountPath: '/run' },
    { name: 'pg-wal', mountPath: '/var/lib/postgresql/wal' },
  ],
}
const archiving = {
  ...sidecar,
  env: [
    { name: 'LOG', value: 'own' },
    { name: 'FROM', value: '$(PGDATA)' },
  ],
  volumeMounts: [{ name: 'archive', mountPath: '/archive' }],
}

void t.test('a sidecar that shares Postgres has its files and variables besides its own', async (t) => {
  const pod: WithPodSpec = { spec: { containers: [structuredClone(postgres), { name: 'exporter' }] } }
  addSidecar(pod, archiving, { sharesPostgres: true })
  const once = structuredClone(pod)
  addSidecar(pod, archiving, { sharesPostgres: true })
  t.strictSame(pod, once, 'also on its own output')
  t.strictSame(pod.spec?.initContainers?.[0], {
    securityContext: restricted,
    ...sidecar,
    restartPolicy: 'Always',
    env: [postgres.env[0], ...archiving.env],
    envFrom: postgres.envFrom,
    volumeMounts: [...archiving.volumeMounts, ...postgres.volumeMounts, mount],
  })
  t.strictSame(pod.spec?.containers[0]?.volumeMounts, [...postgres.volumeMounts, mount])
})

void t.test('a later hook edits the sidecar of one Pod, and of no other', async (t) => {
  const plugin = testCnpgPlugin({ name: 'a.example.org', version: '1' })
  plugin.sidecar({ ...archiving, resources: { limits: { cpu: '1' } } })
  plugin.pods({
    instance({ cluster }, pod) {
      const added = pod.spec?.initContainers?.find(({ name }) => name === 'archive')
      const { name = '' } = cluster.metadata
      added?.env?.push({ name: `TOKEN_OF_${name}`, value: 'a' })
      if (added?.resources?.limits) added.resources.limits[name] = '1'
      const { capabilities } = added?.securityContext ?? {}
      if (capabilities) capabilities.add = [name]
    },
  })
  const addedTo = async (name: string) => {
    const operator = await testCnpgOperator(plugin)
    await operator.create({ metadata: { name }, spec: { plugins: [{ name: 'a.example.org' }] } })
    const added = operator.pods[0]?.spec?.initContainers?.find((one) => one.name === 'archive')
    const tokens = added?.env?.map((one) => one.name).filter((one) => one.startsWith('TOKEN'))
    return [tokens, added?.resources?.limits, added?.securityContext?.capabilities?.add]
  }
  await addedTo('first')
  t.strictSame(await addedTo('second'), [['TOKEN_OF_second'], { cpu: '1', second: '1' }, ['second']])
})

void t.test('a plugin with hooks that read files of Postgres shares it by default', async (t) => {
  const cluster = { metadata: { name: 'db' }, spec: { instances: 1, plugins: [{ name: 'a.example.org' }] } }
  const mountsOf = async (register: (plugin: CnpgPlugin) => void) => {
    const plugin = testCnpgPlugin({ name: 'a.example.org', version: '1' })
    register(plugin)
    const operator = await testCnpgOperator(plugin)
    await operator.create(cluster)
    const mounts = operator.pods[0]?.spec?.initContainers?.find(
      ({ name }) => name === 'archive',
    )?.volumeMounts
    return mounts?.map(({ mountPath }) => mountPath)
  }
  const all = ['/var/lib/postgresql/data', '/plugins']
  t.strictSame(await mountsOf((plugin) => plugin.sidecar(sidecar)), ['/plugins'])
  t.strictSame(await mountsOf((plugin) => plugin.sidecar(sidecar).wal({ archive() {} })), all)
  class Archive {
    archive() {}
  }
  t.strictSame(await mountsOf((plugin) => plugin.sidecar(sidecar).wal(new Archive())), all)
  t.strictSame(
    await mountsOf((plugin) => plugin.sidecar(sidecar, { sharesPostgres: false }).wal({ archive() {} })),
    ['/plugins'],
  )
})

void t.test('a security context of its own is left alone', async (t) => {
  const pod: WithPodSpec = { spec: { containers: [] } }
  addSidecar(pod, { ...sidecar, securityContext: { privileged: true } })
  t.same(pod.spec?.initContainers?.[0]?.securityContext, { privileged: true })
})

void t.test('a sidecar that is for no Pod is refused', async (t) => {
  t.throws(() => pluginOf().sidecar(sidecar, { instances: false }), {
    code: 'INVALID_REGISTRATION',
    message: /^the sidecar archive is neither for instances nor for Jobs/,
  })
})

void t.test('an instance whose sidecar has no startup probe does not become ready', async (t) => {
  const reconciled = async (container: typeof sidecar & { startupProbe?: undefined }) => {
    const plugin = testCnpgPlugin({ name: 'a.example.org', version: '1' })
    plugin.sidecar(container)
    const operator = await testCnpgOperator(plugin)
    const cluster = { metadata: { name: 'db' }, spec: { plugins: [{ name: 'a.example.org' }] } }
    return { ...(await operator.create(cluster)), logged: operator.logged }
  }
  t.match(await reconciled(sidecar), { phase: 'Cluster in healthy state', logged: [] })
  t.match(await reconciled({ ...sidecar, startupProbe: undefined }), {
    phase: 'Waiting for the instances to become active',
    logged: [/^instance db-1 may start before its sidecar archive listens, /],
  })
})

void t.test('Postgres waits until the plugin answers at the socket of its sidecar', async (t) => {
  const probeOf = async (container: typeof sidecar & { startupProbe?: object }) => {
    const plugin = testCnpgPlugin({ name: 'a.example.org', version: '1' })
    plugin.sidecar(container)
    const operator = await testCnpgOperator(plugin)
    await operator.create({ metadata: { name: 'db' }, spec: { plugins: [{ name: 'a.example.org' }] } })
    const { initContainers } = operator.pods[0]?.spec ?? {}
    return initContainers?.find(({ name }) => name === 'archive')?.startupProbe
  }
  const own = { tcpSocket: { port: 1 } }
  t.strictSame(await probeOf({ ...sidecar, startupProbe: own }), own)
  const probe = await probeOf(sidecar)
  const folder = await mkdtemp(join(tmpdir(), 'probe-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const [, ...args] = probe?.exec?.command ?? []
  const status = () =>
    new Promise<unknown>((resolve) => {
      const here = args.map((arg) => arg.replace('/plugins', folder))
      execFile(process.execPath, here, (error) => resolve(error?.code ?? 0))
    })
  t.equal(await status(), 1, 'nothing listens')
  const server = createServer().listen(join(folder, 'a.example.org'))
  t.teardown(() => server.close())
  await once(server, 'listening')
  t.equal(await status(), 0)
})

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { CnpgCluster } from 'vcluster-plugin-sdk/cnpg'
import { testCnpgOperator, testCnpgPlugin } from 'vcluster-plugin-sdk/cnpg/testing'
import { WalArchive } from './archive.js'
import { parameters, register } from './register.js'

const wal = '000000010000000000000001'

void t.test('a file is stored once, and never over another content', async (t) => {
  const dir = t.testdir({ [wal]: 'one', archive: {} })
  const archive = new WalArchive(join(dir, 'archive/db'))
  await archive.store(join(dir, wal))
  await archive.store(join(dir, wal))
  t.strictSame(await readdir(join(dir, 'archive/db')), [wal], 'nothing else is left')
  await writeFile(join(dir, wal), 'two')
  await t.rejects(archive.store(join(dir, wal)), {
    name: 'HookError',
    message: /is stored with another content/,
  })
  await archive.fetch(wal, join(dir, 'restored'))
  t.equal(await readFile(join(dir, 'restored'), 'utf8'), 'one')
})

void t.test('a file that is not there is not found, and only names of WAL files are used', async (t) => {
  const dir = t.testdir({ secret: 'text' })
  const archive = new WalArchive(join(dir, 'archive'))
  await t.rejects(archive.fetch('00000002.history', join(dir, 'x')), { code: 'NOT_FOUND' })
  await t.rejects(archive.fetch('../secret', join(dir, 'x')), { code: 'INVALID_ARGUMENT' })
  await t.rejects(archive.store(join(dir, 'secret')), { code: 'INVALID_ARGUMENT' })
})

void t.test('the sidecar of a Pod has the files of Postgres and the archive', async (t) => {
  const plugin = testCnpgPlugin({ name: 'wal-archive.example.org', version: '0.1.0', parameters })
  register(plugin, { image: 'wal-archive:dev' })
  const operator = await testCnpgOperator(plugin)
  const cluster: CnpgCluster = {
    metadata: { name: 'db' },
    spec: { plugins: [{ name: plugin.name, isWALArchiver: true, parameters: { claim: 'wal' } }] },
  }
  await operator.create(cluster)
  await operator.reconcile()
  t.strictSame(operator.rollouts, [])
  const { initContainers, volumes } = operator.pods[0]?.spec ?? {}
  const paths = initContainers?.find(({ name }) => name === 'wal-archive')?.volumeMounts
  t.strictSame(
    paths?.map(({ mountPath }) => mountPath),
    ['/archive', '/var/lib/postgresql/data', '/plugins'],
  )
  t.match(
    volumes?.find(({ name }) => name === 'archive'),
    { persistentVolumeClaim: { claimName: 'wal' } },
  )
})

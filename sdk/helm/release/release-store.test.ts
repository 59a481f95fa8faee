// Tests the records of releases in Secrets: encoding, size, labels, history, and writes at the same time.
import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import type { ListOptions } from '../../engine/client/client.js'
import { createClient } from '../../engine/client/create-client.js'
import { namespaces, secrets } from '../../engine/kube/builtin.js'
import { isAlreadyExists, isConflict } from '../../engine/kube/error.js'
import { decodeRelease, encodeRelease } from './encode-release.js'
import { fitRelease } from './fit-release.js'
import { beyondHistory, deployedOf, latestOf } from './history.js'
import { KnownReleases } from './known-releases.js'
import type { Release, ReleaseStatus } from './release.js'
import { hashedName, isReleaseName, releaseNameOf } from './release-name.js'
import { ReleaseStore } from './release-store.js'
import {
  ownerLabel,
  rolledBackTo,
  type StoredRelease,
  secretName,
  writtenAnnotation,
} from './stored-release.js'
import { UnreadableReleaseError } from './unreadable-release.js'

const nowMs = () => 1_800_000_000_123
const emptyChart = {
  metadata: { name: 'demo', version: '1.0.0' },
  lock: null,
  templates: [],
  values: {},
  schema: null,
  files: [],
}

function release(version: number, status: ReleaseStatus = 'deployed', more: Partial<Release> = {}): Release {
  return {
    name: 'demo',
    namespace: 'ns',
    version,
    info: { status, description: 'made' },
    chart: emptyChart,
    config: { size: 3 },
    manifest: '---\nkind: A\n',
    hooks: [],
    ...more,
  }
}

/** A release whose record is this many MiB large, and small when it is packed. */
const large = (mebibytes: number) => release(1, 'deployed', { manifest: 'a'.repeat(mebibytes * 2 ** 20) })

const stored = (
  version: number,
  status?: ReleaseStatus,
  more: Partial<StoredRelease> = {},
): StoredRelease => ({
  release: release(version, status),
  labels: {},
  ...more,
})

async function emptyStore(_: Test) {
  const client = createClient({ transport: inProcessTransport(await createApiServer()) })
  await client.create(namespaces, { metadata: { name: 'ns' } })
  return { client, store: new ReleaseStore(client, nowMs) }
}

void t.test(
  'a record is the same after it was encoded and decoded, unknown fields and large numbers included',
  async (t) => {
    const given = release(1, 'deployed', { config: { big: 9007199254740993n }, future: { field: 1 } })
    t.strictSame(await decodeRelease(await encodeRelease(given)), given)
  },
)

void t.test('records without compression, and with what Go leaves out, are read', async (t) => {
  const read = (record: unknown) => decodeRelease(Buffer.from(JSON.stringify(record)).toString('base64'))
  t.strictSame(
    await read({
      name: 'demo',
      version: 2,
      chart: { metadata: { name: 'a' }, values: null, templates: null },
    }),
    {
      name: 'demo',
      namespace: '',
      version: 2,
      info: { status: 'unknown' },
      config: {},
      manifest: '',
      hooks: [],
      chart: { ...emptyChart, metadata: { name: 'a' } },
    },
  )
  for (const record of [null, [], 'text', { version: 1 }, { name: 'a' }])
    await t.rejects(read(record), { name: 'UnreadableReleaseError' })
  const list = { manifest: 'kind: List', kind: 'List', events: ['pre-delete'] }
  const file = { name: 'a.txt', data: null }
  t.match(await read({ name: 'demo', version: 2, hooks: [list], chart: { files: [file] } }), {
    hooks: [{ ...list, name: '', path: '' }],
    chart: { files: [{ name: 'a.txt', data: '' }] },
  })
  await t.rejects(decodeRelease('H4sIAAAA'), { message: /it is not a record of Helm/ })
})

void t.test('a record with damaged hooks or files is not read, and the error says which', async (t) => {
  const read = (more: object) =>
    decodeRelease(Buffer.from(JSON.stringify({ name: 'a', version: 1, ...more })).toString('base64'))
  const hook = { name: 'a', kind: 'Job', path: 'a.yaml', manifest: 'kind: Job', events: ['pre-install'] }
  const file = { name: 'a', data: '' }
  for (const [more, message] of [
    [{ hooks: 'text' }, 'hooks is not a list'],
    [{ hooks: [hook, null] }, 'hook 2 is not an object'],
    [{ hooks: [{ ...hook, name: 5 }] }, 'name of hook 1 is not a text'],
    [{ hooks: [{ ...hook, manifest: {} }] }, 'manifest of hook 1 is not a text'],
    [{ hooks: [{ ...hook, events: 'pre-install' }] }, 'events of hook 1 is not a list of texts'],
    [{ hooks: [{ ...hook, delete_policies: [1] }] }, 'delete_policies of hook 1 is not a list of texts'],
    [{ chart: { templates: {} } }, 'templates is not a list'],
    [{ chart: { files: [file, 'text'] } }, 'file 2 of files is not an object'],
    [{ chart: { files: [{ ...file, data: 5 }] } }, 'data of file 1 of files is not a text'],
    [{ info: { status: 5 } }, 'status is not a text'],
    [{ hooks: Array(5_001).fill(hook) }, 'it has more than 5000 hooks'],
    [{ manifest: '\n---\nkind: A'.repeat(5_001) }, 'it has more than 5000 objects'],
  ] as const)
    await t.rejects(read(more), {
      name: 'UnreadableReleaseError',
      message: `it is not a record of Helm: ${message}`,
    })
})

void t.test('a Secret has the name, type and labels of Helm, and ours', async (t) => {
  const { client, store } = await emptyStore(t)
  const written = { inputs: 'abc', stage: 'objects', attempt: 1, holder: 'one' }
  const created = await store.create(
    stored(1, 'pending-install', { labels: { team: 'a' }, owner: 'uid-1', written }),
  )
  const secret = await client.get(secrets, { namespace: 'ns', name: 'sh.helm.release.v1.demo.v1' })
  t.equal(secret.type, 'helm.sh/release.v1')
  t.strictSame(secret.metadata.labels, {
    name: 'demo',
    owner: 'helm',
    status: 'pending-install',
    version: '1',
    createdAt: '1800000000',
    team: 'a',
    [ownerLabel]: 'uid-1',
  })
  await store.update({ ...created, release: release(1) })
  const [read] = await store.revisions('ns', 'demo')
  t.match(read, { release: release(1), labels: { team: 'a' }, owner: 'uid-1', written })
  t.strictSame(Object.keys(read?.labels ?? {}), ['team'], 'labels of users are apart')
  if (read) await store.update({ ...read, written: undefined })
  t.equal((await store.revisions('ns', 'demo'))[0]?.written, undefined, 'the progress can be taken away')
  t.match(read?.secret?.metadata.labels, { status: 'deployed', modifiedAt: '1800000000' })
  t.notOk(read?.secret?.metadata.labels?.createdAt, 'as Helm does')
})

void t.test('a revision that another program wrote has no progress', async (t) => {
  const { client, store } = await emptyStore(t)
  const written = { inputs: 'abc', stage: 'done', attempt: 1, holder: 'one' }
  await store.create(stored(1, 'deployed', { owner: 'uid-1', written }))
  const name = secretName({ name: 'demo', version: 1 })
  const secret = await client.get(secrets, { namespace: 'ns', name })
  const { annotations: _, ...metadata } = secret.metadata
  await client.update(secrets, { ...secret, metadata })
  const [read] = await store.revisions('ns', 'demo')
  t.strictSame([read?.owner, read?.written], ['uid-1', undefined], 'the label stays, the annotation goes')
  const broken = { ...metadata, resourceVersion: '', annotations: { [writtenAnnotation]: '{"stage"' } }
  await client.update(secrets, { ...secret, metadata: broken })
  t.equal((await store.revisions('ns', 'demo'))[0]?.written, undefined)
})

void t.test('a revision that brings another one back is known without its progress', async (t) => {
  const { client, store } = await emptyStore(t)
  const written = { inputs: 'abc', stage: 'done', attempt: 1, holder: 'one', to: 1 }
  await store.create(stored(3, 'deployed', { owner: 'uid-1', written }))
  const withoutProgress = async (version: number) => {
    const name = secretName({ name: 'demo', version })
    const { metadata, ...rest } = await client.get(secrets, { namespace: 'ns', name })
    await client.update(secrets, { ...rest, metadata: { ...metadata, annotations: {} } })
    return (await store.revisions('ns', 'demo')).find(({ release }) => release.version === version)
  }
  const read = await withoutProgress(3)
  t.strictSame([read?.written, read && rolledBackTo(read), read?.labels], [undefined, 1, {}])
  if (read) t.equal(rolledBackTo(await store.update(read)), 1, 'an update keeps it')

  // Helm copies the labels of a revision to the next one.
  const labels = read?.secret?.metadata.labels ?? {}
  await store.create(stored(4, 'deployed', { labels: { 'vcluster-plugin-sdk/rollback': 'v3-to-1' } }))
  t.equal(labels['vcluster-plugin-sdk/rollback'], 'v3-to-1')
  const next = await withoutProgress(4)
  t.equal(next && rolledBackTo(next), undefined, 'a copied label means nothing')
})

void t.test('of two programs that write at the same time, one has to read again', async (t) => {
  const { store } = await emptyStore(t)
  const first = await store.create(stored(1))
  const refused = await store.create(stored(1)).catch((error: unknown) => error)
  t.ok(isAlreadyExists(refused))
  await store.update({ ...first, release: release(1, 'failed') })
  t.ok(
    isConflict(await store.update({ ...first, release: release(1, 'superseded') }).catch((e: unknown) => e)),
  )
  t.ok(isConflict(await store.delete(first).catch((e: unknown) => e)), 'it changed since')
  const [latest = stored(9)] = await store.revisions('ns', 'demo')
  await store.delete(latest)
  await store.delete(latest)
  t.strictSame(await store.revisions('ns', 'demo'), [])
})

void t.test('only Secrets of releases of this name are read, and a damaged one is named', async (t) => {
  const { client, store } = await emptyStore(t)
  for (const version of [10, 9, 1]) await store.create(stored(version, 'superseded'))
  const labels = { owner: 'helm', name: 'demo' }
  await client.create(secrets, { metadata: { namespace: 'ns', name: 'other', labels } })
  const numbers = async () => (await store.revisions('ns', 'demo')).map((one) => one.release.version)
  t.strictSame(await numbers(), [1, 9, 10], 'by number, not by name')
  t.strictSame(await store.revisions('ns', 'other'), [])
  const data = { release: Buffer.from('???').toString('base64') }
  await client.create(secrets, {
    type: 'helm.sh/release.v1',
    metadata: { namespace: 'ns', name: 'sh.helm.release.v1.demo.v3', labels },
    data,
  })
  await t.rejects(numbers(), {
    name: 'UnreadableReleaseError',
    message: /^the Secret ns\/sh.helm.release.v1.demo.v3 cannot be read: /,
  })
})

void t.test('a Secret with the labels and the type of a record, but another name, is none', async (t) => {
  const { client, store } = await emptyStore(t)
  const { secret } = await store.create(stored(1))
  const copy = async (name: string, version: number) => {
    const forged = Buffer.from(await encodeRelease(release(version))).toString('base64')
    const { labels } = secret.metadata
    await client.create(secrets, {
      type: 'helm.sh/release.v1',
      data: { release: forged },
      metadata: { namespace: 'ns', name, labels: { ...labels, version: String(version) } },
    })
  }
  await copy('sh.helm.release.v1.demo.v2-x-default-x-vc', 2)
  await copy('sh.helm.release.v1.demo.v02', 2)
  await copy('mine', 3)
  t.strictSame(
    (await store.revisions('ns', 'demo')).map((one) => one.release.version),
    [1],
  )
})

void t.test('a record whose content names another Secret is written where it was read', async (t) => {
  const { client, store } = await emptyStore(t)
  const { secret } = await store.create(stored(1, 'deployed'))
  const content = { ...release(9, 'deployed'), namespace: 'other' }
  const data = { release: Buffer.from(await encodeRelease(content)).toString('base64') }
  await client.patch(
    secrets,
    { namespace: 'ns', name: secretName(release(1)) },
    { type: 'merge', body: { data } },
  )
  const [edited] = await store.revisions('ns', 'demo')
  if (!edited) throw new Error('there is no record')
  const after = await store.update({ ...edited, owner: 'uid' })
  t.equal(after.secret.metadata.uid, secret.metadata.uid)
  await store.delete(after)
  t.strictSame(await store.revisions('ns', 'demo'), [])
})

void t.test('history: the oldest go, never the deployed or the latest revision', async (t) => {
  const revisions = [stored(3, 'superseded'), stored(1, 'superseded'), stored(2), stored(4, 'failed')]
  const beyond = (most: number) => beyondHistory(revisions, most).map(({ release: { version } }) => version)
  t.strictSame([0, 1, 2, 3, 4, 9].map(beyond), [[], [1, 3], [1, 3], [1], [], []])
  t.strictSame(
    [latestOf(revisions), deployedOf(revisions)].map((one) => one?.release.version),
    [4, 2],
  )
  t.equal(deployedOf([stored(1, 'failed')]), undefined)
  const { store } = await emptyStore(t)
  for (const version of [1, 2, 3, 4, 5])
    await store.create(stored(version, version === 2 ? 'deployed' : 'superseded'))
  await store.prune(await store.revisions('ns', 'demo'), 3)
  t.strictSame(
    (await store.revisions('ns', 'demo')).map((one) => one.release.version),
    [2, 4, 5],
  )
})

void t.test(
  'a record that is too large loses files, then templates, and is refused before a write',
  async (t) => {
    const data = (bytes: number) => randomBytes(bytes).toString('base64')
    const chart = (files: number, templates: number) => ({
      ...emptyChart,
      files: [{ name: 'f', data: data(files) }],
      templates: [{ name: 't', data: data(templates) }],
    })
    const trimmed = async (files: number, templates: number) =>
      (await fitRelease(release(1, 'deployed', { chart: chart(files, templates) }))).trimmed
    t.strictSame(await trimmed(100, 100), [])
    t.strictSame(await trimmed(5 * 2 ** 20, 100), ['files'])
    t.strictSame(await trimmed(100, 2 ** 20), ['files', 'templates'])
    const { store } = await emptyStore(t)
    const largest = await store.create({
      ...stored(1),
      release: release(1, 'deployed', { manifest: data(570_000) }),
    })
    t.strictSame(largest.trimmed, [], 'the server takes what just fits')
    const large = { ...stored(2), release: release(2, 'deployed', { manifest: data(1_000_000) }) }
    await t.rejects(store.create(large), {
      name: 'ReleaseTooLargeError',
      message:
        /^revision 2 of the release demo is too large: a manifest of 1333336 characters and 0 hooks need \d+ bytes/,
    })
    t.equal((await store.revisions('ns', 'demo')).length, 1)
  },
)

void t.test('the records of a release have a common limit, packed and unpacked', async (t) => {
  const { client, store } = await emptyStore(t)
  const data = { release: Buffer.from(await encodeRelease(large(40))).toString('base64') }
  const put = (version: number) => {
    const name = secretName({ name: 'demo', version })
    const metadata = { namespace: 'ns', name, labels: { owner: 'helm', name: 'demo' } }
    return client.create(secrets, { metadata, type: 'helm.sh/release.v1', data })
  }
  for (const version of [1, 2, 3]) await put(version)
  t.equal((await store.revisions('ns', 'demo')).length, 3)
  await put(4)
  await t.rejects(store.revisions('ns', 'demo'), {
    name: 'TooManyRecordsError',
    message: /^the records of the release ns\/demo have more than 128 MiB together; delete the Secrets/,
  })
})

void t.test('packed records count when they are listed', async (t) => {
  const { client } = await emptyStore(t)
  const secret = (version: number) => ({
    metadata: { namespace: 'ns', name: secretName({ name: 'demo', version }) },
    data: { release: mebibyte },
    type: 'helm.sh/release.v1',
  })
  const mebibyte = 'a'.repeat(2 ** 20)
  const asked: (string | undefined)[] = []
  const list = async (_: unknown, { limit = 0, continue: at }: ListOptions) => {
    asked.push(at)
    const items = Array.from({ length: limit }, (_, index) => secret(index + 1))
    return { apiVersion: 'v1', kind: 'SecretList', metadata: { continue: 'more' }, items }
  }
  const endless = Object.assign(Object.create(client), { list })
  await t.rejects(new ReleaseStore(endless, nowMs).revisions('ns', 'demo'), { name: 'TooManyRecordsError' })
  t.strictSame(asked, [undefined, ...Array.from({ length: 6 }, () => 'more')], 'the rest is not read')
})

void t.test('the largest Secrets are read in pages of less than 8 MiB', async (t) => {
  const { client, store } = await emptyStore(t)
  for (const version of [1, 2, 3, 4]) await store.create(stored(version))
  const read: (string | number | undefined)[][] = []
  const list = (...[resource, options]: Parameters<typeof client.list>) => {
    read.push([options?.metadataOnly ? 'metadata' : 'whole', options?.limit])
    return client.list(resource, options)
  }
  const counted = Object.assign(Object.create(client), { list })
  t.equal((await new ReleaseStore(counted, nowMs).revisions('ns', 'demo')).length, 4)
  t.strictSame(read, [
    ['metadata', 20],
    ['whole', 5],
  ])
})

void t.test('a record that has not changed is neither transferred nor unpacked again', async (t) => {
  const { client } = await emptyStore(t)
  const read: string[] = []
  const counted = Object.assign(Object.create(client), {
    list: (...[resource, options]: Parameters<typeof client.list>) => {
      read.push(options?.metadataOnly ? 'metadata' : 'list')
      return client.list(resource, options)
    },
    get: (...[resource, key, options]: Parameters<typeof client.get>) => {
      read.push(key.name)
      return client.get(resource, key, options)
    },
    update: client.update.bind(client),
  })
  const known = new KnownReleases()
  const other = new ReleaseStore(client, nowMs)
  for (const version of [1, 2]) await other.create(stored(version))
  const revisions = async () =>
    (await new ReleaseStore(counted, nowMs, known).revisions('ns', 'demo')).map(
      ({ release, labels }) =>
        `${release.version} ${release.info.status} ${release.manifest}${labels.team ?? ''}`,
    )
  t.strictSame(await revisions(), ['1 deployed ---\nkind: A\n', '2 deployed ---\nkind: A\n'])
  t.strictSame(read.splice(0), [
    'metadata',
    secretName({ name: 'demo', version: 1 }),
    secretName({ name: 'demo', version: 2 }),
  ])
  await revisions()
  t.strictSame(read.splice(0), ['metadata'])
  const [first] = await other.revisions('ns', 'demo')
  if (first) await other.update({ ...first, release: release(1, 'superseded'), labels: { team: 'a' } })
  t.strictSame(await revisions(), ['1 superseded ---\nkind: A\na', '2 deployed ---\nkind: A\n'])
  t.strictSame(read.splice(0), ['metadata', secretName({ name: 'demo', version: 1 })], 'the one that changed')
  const store = new ReleaseStore(counted, nowMs, known)
  const [, second] = await store.revisions('ns', 'demo')
  if (second) await store.update({ ...second, release: release(2, 'failed') })
  read.splice(0)
  t.match(await revisions(), [/^1 superseded/, /^2 failed/])
  t.strictSame(read, ['metadata'], 'own writes are known')
})

void t.test('the parts of a record are compressed apart, and are one file of gzip', async (t) => {
  const files = ['templates', 'files'] as const
  const many = (seed: string) => [{ name: seed, data: randomBytes(100_000).toString('base64') }]
  const chart = { ...emptyChart, templates: many('a'), files: many('b') }
  for (const without of [[], ['files'], ['templates'], files] as const) {
    const given = release(1, 'deployed', {
      chart: { ...chart, ...Object.fromEntries(without.map((part) => [part, []])) },
    })
    const [one, two] = [given, { ...given, info: { status: 'failed' as const } }]
    for (const each of [one, two, one]) {
      const text = await encodeRelease(each)
      t.strictSame(await decodeRelease(text), each)
      t.strictSame(JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString()), each)
    }
  }
  const changed = release(1, 'deployed', { chart: { ...chart, values: { a: 1 } }, manifest: 'b' })
  t.strictSame(await decodeRelease(await encodeRelease(changed)), changed)
})

void t.test('names: those that Helm accepts, and a hash for longer ones', async (t) => {
  const resource = { kind: 'Memcached', group: 'cache.my.domain', namespace: 'default' }
  t.equal(releaseNameOf({ ...resource, name: 'daily' }), 'daily')
  const long = releaseNameOf({ ...resource, name: `${'a'.repeat(43)}-${'b'.repeat(20)}` })
  t.match(long, /^a{43}-[0-9a-f]{8}$/, 'no two dashes in a row')
  t.not(long, releaseNameOf({ ...resource, name: `${'a'.repeat(43)}-${'b'.repeat(21)}` }))
  t.not(hashedName({ ...resource, name: 'a' }), hashedName({ ...resource, kind: 'Other', name: 'a' }))
  t.ok([long, 'a', 'a.b-c', '0'].every(isReleaseName))
  t.notOk(['', 'A', '-a', 'a-', 'a..b', 'a_b', 'a'.repeat(54)].some(isReleaseName))
  t.equal(secretName(release(7)), 'sh.helm.release.v1.demo.v7')
})

void t.test('errors do not quote the record', async (t) => {
  const secret = Buffer.from('{"name": "password-123').toString('base64')
  const error = await decodeRelease(secret).catch((e: unknown) => e)
  t.ok(error instanceof UnreadableReleaseError)
  t.notMatch(String(error), /password/)
})

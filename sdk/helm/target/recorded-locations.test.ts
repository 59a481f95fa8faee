// Tests which Secrets say where the release of an object is.
import t from 'tap'
import { createApiServer } from '../../../apiserver/api-server.js'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import type { ListOptions } from '../../engine/client/client.js'
import { createClient } from '../../engine/client/create-client.js'
import { namespaces, secrets } from '../../engine/kube/builtin.js'
import { AnswerTooLargeError } from '../../engine/transport/transport.js'
import { seedType } from '../release/seed-secret.js'
import { ownerLabel, releaseSecretType } from '../release/stored-release.js'
import { recordedLocations } from './recorded-locations.js'

const uid = '7d444840-9dc0-11d1-b245-5ffdce74fad2'

void t.test(
  'a record and a seed say it, by their types, their names and the UID of the object',
  async (t) => {
    const client = createClient({ transport: inProcessTransport(await createApiServer({})) })
    await client.create(namespaces, { metadata: { name: 'other' } })
    const add = (name: string, { type = releaseSecretType, owner = uid, namespace = 'default' } = {}) =>
      client.create(secrets, { metadata: { namespace, name, labels: { [ownerLabel]: owner } }, type })
    await add('sh.helm.release.v1.db.v1')
    await add('sh.helm.release.v1.db.v2')
    await add('sh.helm.seed.v1.db', { type: seedType })
    await add('sh.helm.seed.v1.begun', { type: seedType })
    await add('sh.helm.release.v1.a.v1.v3', { namespace: 'other' })

    await add('sh.helm.release.v1.tenants.v1-x-default-x-vc')
    await add('sh.helm.release.v1.typed.v1', { type: 'Opaque' })
    await add('sh.helm.release.v1.numbered.v01')
    await add('sh.helm.release.v1.others.v1', { owner: 'another' })
    await add('sh.helm.seed.v1.typed')

    const found = async (...searched: string[]) =>
      (await recordedLocations([{ name: 'host', client, namespaces: searched }], { uid })).map(
        ({ cluster, namespace, name, hasRecord }) => `${cluster} ${namespace}/${name} ${hasRecord}`,
      )
    const here = ['host default/db true', 'host default/begun false']
    t.strictSame(await found('default'), here, 'not the copy of the Secret of a tenant, and no others')
    t.strictSame(await found('default', 'other'), [...here, 'host other/a.v1 true'])
    t.strictSame(await found('absent'), [])
  },
)

void t.test('all pages are read', async (t) => {
  const client = createClient({ transport: inProcessTransport(await createApiServer({})) })
  for (let version = 1; version <= 120; version++) {
    const metadata = {
      namespace: 'default',
      name: `sh.helm.release.v1.r${version}.v1`,
      labels: { [ownerLabel]: uid },
    }
    await client.create(secrets, { metadata, type: releaseSecretType })
  }
  t.equal((await recordedLocations([{ name: 'main', client, namespaces: ['default'] }], { uid })).length, 120)
})

void t.test('a server that names a next page each time is given up', async (t) => {
  let pages = 0
  const list = async () => {
    pages += 1
    return { metadata: { continue: 'more' }, items: [] }
  }
  const client = { list } as never
  await t.rejects(recordedLocations([{ name: 'far', client, namespaces: ['default'] }], { uid }), {
    message:
      /^namespace default has more than 2000 pages of Secrets with the label .*=7d444840-.*; delete those that/,
  })
  t.equal(pages, 2000)
})

void t.test('a page that is too large for one answer is read in smaller ones', async (t) => {
  const limits: (number | undefined)[] = []
  const list = async (_: unknown, { limit }: ListOptions) => {
    limits.push(limit)
    if (limit !== 1) throw new AnswerTooLargeError({ path: '/api/v1/secrets', maxBytes: 8 * 2 ** 20 })
    const metadata = { namespace: 'default', name: 'sh.helm.release.v1.db.v1' }
    return { metadata: {}, items: [{ metadata, type: releaseSecretType }] }
  }
  const client = { list } as never
  const found = await recordedLocations([{ name: 'far', client, namespaces: ['default'] }], { uid })
  t.match(found, [{ name: 'db', hasRecord: true }])
  t.strictSame(limits, [5, 1])
})

import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'

const chunks = 'KEP-365; API concepts, "Retrieving large results sets in chunks"'
const semantics = 'API concepts, "Semantics for get and list"'
const listOptions = 'k8s.io/apimachinery pkg/apis/meta/internalversion/validation/validation.go @ v0.36.3'

async function makeSecrets({ make }: CaseClient, names: readonly string[]): Promise<void> {
  for (const name of names) await make('secrets', { metadata: { name, labels: { name } } })
}

/** The error for a future revision. */
const tooLarge = (details: { retryAfterSeconds: number | undefined }) => ({
  reason: 'Timeout',
  message: /^Timeout: Too large resource version: 999999999, current: \d+$/,
  details: {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    ...details,
  },
})

const namesOf = (items: { metadata: { name?: string } }[] = []) => items.map(({ metadata }) => metadata.name)
const inNumbers = (version: string | undefined) => BigInt(version ?? 0)

/** Lists in pages, and lists of the past. */
export const paging: CaseGroup = {
  name: 'paging',
  cases: [
    {
      name: 'a page at a revision has exactly that revision',
      source: 'Kubernetes documentation, API concepts, "Semantics for get and list"',
      async run({ make, get, expect }) {
        const { metadata } = await make('secrets', { metadata: { name: 'a' } })
        await make('secrets', { metadata: { name: 'b' } })
        const { body } = await get(`secrets?limit=5&resourceVersion=${metadata.resourceVersion}`)
        const { items, metadata: list } = body as unknown as { items: unknown[]; metadata: object }
        expect.same(list, { resourceVersion: metadata.resourceVersion })
        expect.same(items.length, 1)
      },
    },
    {
      name: 'a page has the requested number of objects and the number of remaining ones',
      source: chunks,
      async run(client) {
        await makeSecrets(client, ['a', 'b', 'c', 'd', 'e'])
        const page = await client.read('secrets?limit=2')
        client.expect.has(page.metadata, { continue: /.+/, remainingItemCount: 3 })
        client.expect.same(namesOf(page.items), ['a', 'b'])
      },
    },
    {
      name: 'all pages together are the whole list, and the last one has no token',
      source: chunks,
      async run(client) {
        await makeSecrets(client, ['a', 'b', 'c', 'd', 'e'])
        const seen: unknown[] = []
        let token = ''
        do {
          const page = await client.read(`secrets?limit=2&continue=${encodeURIComponent(token)}`)
          seen.push(...namesOf(page.items))
          token = page.metadata.continue ?? ''
        } while (token !== '')
        client.expect.same(seen, ['a', 'b', 'c', 'd', 'e'])
      },
    },
    {
      name: 'a limit equal to the number of objects gives no token',
      source: chunks,
      async run(client) {
        await makeSecrets(client, ['a', 'b'])
        const page = await client.read('secrets?limit=2')
        client.expect.has(page.metadata, { continue: undefined, remainingItemCount: undefined })
      },
    },
    {
      name: 'every page has the revision of the first one',
      source: chunks,
      async run(client) {
        await makeSecrets(client, ['a', 'b', 'd'])
        const first = await client.read('secrets?limit=1')
        await makeSecrets(client, ['c'])
        await client.delete('secrets/b')
        const rest = await client.read(`secrets?continue=${first.metadata.continue}`)
        client.expect.same(namesOf(rest.items), ['b', 'd'])
        client.expect.same(rest.metadata.resourceVersion, first.metadata.resourceVersion)
      },
    },
    {
      name: 'a page with a selector does not have the number of remaining objects',
      source: 'k8s.io/apimachinery pkg/apis/meta/v1/types.go @ v0.36.3, ListMeta.RemainingItemCount',
      async run(client) {
        for (const name of ['a', 'b', 'c']) {
          await client.make('secrets', { metadata: { name, labels: { page: 'x' } } })
        }
        const page = await client.read('secrets?limit=1&labelSelector=page%3Dx')
        client.expect.has(page.metadata, { continue: /.+/, remainingItemCount: undefined })
        const rest = await client.read(`secrets?labelSelector=page%3Dx&continue=${page.metadata.continue}`)
        client.expect.same(namesOf(rest.items), ['b', 'c'])
      },
    },
    {
      name: 'a selector skips objects to fill a page',
      source: chunks,
      async run(client) {
        await makeSecrets(client, ['a', 'b', 'c', 'd'])
        const page = await client.read('secrets?limit=1&labelSelector=name%20in%20(c,d)')
        client.expect.same(namesOf(page.items), ['c'])
      },
    },
    {
      name: 'an invalid token is rejected',
      source: 'k8s.io/apiserver pkg/storage/continue.go @ v0.36.3',
      async run({ get, expect }) {
        expect.refused(await get('secrets?limit=1&continue=nonsense'), {
          code: 400,
          reason: 'BadRequest',
          message:
            "invalid continue token: continue key is not valid: invalid character '\\u009e' looking for beginning of value",
        })
      },
    },
    {
      name: 'a token has a known version, a revision and a key',
      source: 'k8s.io/apiserver pkg/storage/continue.go @ v0.36.3',
      async run({ get, expect }) {
        const version = 'meta.k8s.io/v1'
        const problems: [token: unknown, problem: string][] = [
          [{ rv: 1, start: 'a' }, ': server does not recognize this encoded version '],
          [{ v: 'v9', rv: 1, start: 'a' }, ': server does not recognize this encoded version v9'],
          [
            { v: version, rv: 0, start: 'a' },
            ': incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
          ],
          [{ v: version, rv: 1 }, ': encoded start key empty (version meta.k8s.io/v1)'],
          [{ v: version, rv: 1, start: '../a' }, ': ../a'],
          [{ v: version, rv: 1, start: 'a/' }, ': a/'],
          [
            { v: version, rv: 'x', start: 'a' },
            ': json: cannot unmarshal string into Go struct field continueToken.rv of type int64',
          ],
          [[], ': json: cannot unmarshal array into Go value of type storage.continueToken'],
        ]
        for (const [token, problem] of problems) {
          const text = Buffer.from(JSON.stringify(token)).toString('base64url')
          expect.refused(await get(`secrets?limit=1&continue=${text}`), {
            code: 400,
            reason: 'BadRequest',
            message: `invalid continue token: continue key is not valid${problem}`,
          })
        }
      },
    },
    {
      name: 'a token and a resourceVersion are mutually exclusive',
      source: listOptions,
      async run(client) {
        await makeSecrets(client, ['a', 'b'])
        const { metadata } = await client.read('secrets?limit=1')
        const again = `secrets?limit=1&continue=${metadata.continue}&resourceVersion=${metadata.resourceVersion}`
        client.expect.refused(await client.get(again), {
          code: 400,
          reason: 'BadRequest',
          message: 'specifying resource version is not allowed when using continue',
        })
      },
    },
    {
      name: 'resourceVersionMatch without a resourceVersion is rejected',
      source: listOptions,
      async run({ get, expect }) {
        expect.invalid(await get('secrets?resourceVersionMatch=Exact'), {
          kind: 'ListOptions',
          group: 'meta.k8s.io',
          name: '',
          because: [
            'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
          ],
        })
      },
    },
    {
      name: 'an exact match of resourceVersion 0 is rejected',
      source: listOptions,
      async run({ get, expect }) {
        expect.invalid(await get('secrets?resourceVersionMatch=Exact&resourceVersion=0'), {
          kind: 'ListOptions',
          group: 'meta.k8s.io',
          name: '',
          because: [
            'resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
          ],
        })
      },
    },
    {
      name: 'an unknown resourceVersionMatch is rejected',
      source: listOptions,
      async run({ get, expect }) {
        expect.invalid(await get('secrets?resourceVersionMatch=Near&resourceVersion=1'), {
          kind: 'ListOptions',
          group: 'meta.k8s.io',
          name: '',
          because: [
            'resourceVersionMatch: Unsupported value: "Near": supported values: "Exact", "NotOlderThan", ""',
          ],
        })
      },
    },
    {
      name: 'an exact list returns the past state',
      source: semantics,
      async run(client) {
        await makeSecrets(client, ['a', 'b'])
        const { metadata } = await client.read('secrets')
        await makeSecrets(client, ['c'])
        await client.delete('secrets/a')
        const past = await client.read(
          `secrets?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`,
        )
        client.expect.same(namesOf(past.items), ['a', 'b'])
        client.expect.same(past.metadata.resourceVersion, metadata.resourceVersion)
      },
    },
    {
      name: 'a list with NotOlderThan is at least as new',
      source: semantics,
      async run(client) {
        await makeSecrets(client, ['a'])
        const { metadata } = await client.read('secrets/a')
        const list = await client.read(
          `secrets?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=NotOlderThan`,
        )
        client.expect.same(namesOf(list.items), ['a'])
        client.expect.ok(
          inNumbers(list.metadata.resourceVersion) >= inNumbers(metadata.resourceVersion),
          'the list is not older',
        )
      },
    },
    {
      name: 'a list at an invalid resourceVersion is rejected',
      source: 'k8s.io/apiserver pkg/storage/api_object_versioner.go @ v0.36.3',
      async run({ get, expect }) {
        expect.answer(await get('secrets?resourceVersion=abc'), 400, { reason: 'BadRequest' })
      },
    },
    {
      name: 'a list at resourceVersion 0 ignores the limit',
      source: `${semantics}; k8s.io/apiserver pkg/storage/cacher/delegator/interface.go @ v0.36.3`,
      async run(client) {
        await makeSecrets(client, ['a', 'b', 'c'])
        await client.until('the cache is complete', async () => {
          const { items = [] } = await client.read('secrets?resourceVersion=0&limit=1')
          return items.length === 3
        })
      },
    },
    {
      name: 'sendInitialEvents is only for watches',
      source: `KEP-3157; ${listOptions}`,
      async run({ get, expect }) {
        expect.invalid(
          await get('secrets?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=1'),
          {
            kind: 'ListOptions',
            group: 'meta.k8s.io',
            name: '',
            because: ['sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list'],
          },
        )
      },
    },
    {
      name: 'an invalid limit is rejected',
      source: 'k8s.io/apimachinery pkg/runtime/conversion.go @ v0.36.3',
      async run({ get, expect }) {
        expect.refused(await get('secrets?limit=many'), {
          code: 400,
          reason: 'BadRequest',
          message: 'strconv.ParseInt: parsing "many": invalid syntax',
        })
      },
    },
    {
      name: 'a list at a future resourceVersion waits, and then fails with a 504',
      source: 'k8s.io/apiserver pkg/storage/errors.go @ v0.36.3, NewTooLargeResourceVersionError',
      async run({ get, expect }) {
        const answer = await get('secrets?resourceVersion=999999999&resourceVersionMatch=NotOlderThan')
        expect.answer(answer, 504, tooLarge({ retryAfterSeconds: 1 }))
      },
    },
    {
      name: 'a page at a future resourceVersion fails like the whole list',
      source: 'k8s.io/apiserver pkg/storage/cacher/delegator/interface.go @ v0.36.3, ShouldDelegateList',
      async run({ get, expect }) {
        for (const match of ['NotOlderThan', 'Exact'])
          expect.answer(
            await get(`secrets?limit=1&resourceVersion=999999999&resourceVersionMatch=${match}`),
            504,
            tooLarge({ retryAfterSeconds: 1 }),
          )
      },
    },
    {
      name: 'an exact list of one object reads storage, and has no retry delay for the future',
      source: 'k8s.io/apiserver pkg/storage/cacher/delegator.go @ v0.36.3, ShouldDelegateExactRV',
      async run({ get, expect }) {
        const one = 'fieldSelector=metadata.name%3Da&limit=1'
        const future = `secrets?${one}&resourceVersion=999999999&resourceVersionMatch`
        expect.answer(await get(`${future}=Exact`), 504, tooLarge({ retryAfterSeconds: undefined }))
        expect.answer(await get(`${future}=NotOlderThan`), 504, tooLarge({ retryAfterSeconds: 1 }))
      },
    },
    {
      name: 'a list of one object has the cluster’s revision, and an exact one returns its past state',
      source: semantics,
      async run(client) {
        await makeSecrets(client, ['a'])
        const { metadata } = await client.read('secrets/a')
        await makeSecrets(client, ['b'])
        const one = 'secrets?fieldSelector=metadata.name%3Da&limit=1'
        const now = await client.read(one)
        client.expect.ok(
          inNumbers(now.metadata.resourceVersion) > inNumbers(metadata.resourceVersion),
          'later',
        )
        await client.delete('secrets/a')
        client.expect.same(namesOf((await client.read(one)).items), [])
        const past = `${one}&resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`
        client.expect.has(await client.read(past), {
          items: [{ metadata: { name: 'a', uid: metadata.uid } }],
        })
      },
    },
  ],
}

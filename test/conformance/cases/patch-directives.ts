import type { CaseGroup } from '../case.js'
import type { CaseClient } from '../case-client.js'
import type { Answer } from '../cluster-under-test.js'

const directives =
  'github.com/kubernetes/community contributors/devel/sig-api-machinery/strategic-merge-patch.md'
const order = 'git.k8s.io/design-proposals-archive/cli/preserve-order-in-strategic-merge-patch.md'
const types = 'k8s.io/api core/v1/types.go @ v0.36.3, patchStrategy'

const port = (number: number) => ({ name: `p${number}`, port: number })

const makeService = ({ make }: CaseClient, ports: readonly number[]) =>
  make('services', { metadata: { name: 'a' }, spec: { ports: ports.map(port) } })

/** A patch of ports, each with its name, and an order of port numbers. */
function portsPatch(
  ports: readonly { port: number }[] | undefined,
  orders: Readonly<Record<string, readonly number[]>>,
) {
  const wanted = Object.entries(orders).map(([key, order]) => [key, order.map((each) => ({ port: each }))])
  return { spec: { ports: ports?.map((each) => port(each.port)), ...Object.fromEntries(wanted) } }
}

/** The parts of a Service and of a budget that the cases check. */
interface Spec {
  readonly ports?: readonly { readonly port: number }[]
  readonly selector?: unknown
}

const specOf = ({ body }: Answer) => body.spec as Spec | undefined

const portsOf = (answer: Answer) => specOf(answer)?.ports?.map(({ port }) => port)

/** Directives of strategic merge patches for lists and maps. */
export const patchDirectives: CaseGroup = {
  name: 'patch-directives',
  cases: [
    {
      name: 'patched elements are in the order of the patch, and others between them',
      source: order,
      async run(client) {
        await makeService(client, [80, 81, 82])
        const body = portsPatch([{ port: 82 }, { port: 83 }], { '$setElementOrder/ports': [82, 83, 80] })
        const answer = await client.patch('services/a', 'strategic', body)
        client.expect.same(portsOf(answer), [81, 82, 83, 80])
      },
    },
    {
      name: 'a directive of only the order sorts a list',
      source: order,
      async run(client) {
        await makeService(client, [80, 81, 82])
        const body = portsPatch(undefined, { '$setElementOrder/ports': [82, 80] })
        client.expect.same(portsOf(await client.patch('services/a', 'strategic', body)), [81, 82, 80])
      },
    },
    {
      name: 'patched elements must be in the order of the directive',
      source: order,
      async run(client) {
        await makeService(client, [80])
        const body = portsPatch([{ port: 81 }, { port: 82 }], { '$setElementOrder/ports': [82, 81] })
        client.expect.refused(await client.patch('services/a', 'strategic', body), {
          code: 500,
          message:
            'The order in patch list:\n[map[name:p81 port:81] map[name:p82 port:82]]\n' +
            " doesn't match $setElementOrder list:\n[map[port:82] map[port:81]]\n",
        })
      },
    },
    {
      name: 'the order must be a list',
      source: order,
      async run(client) {
        await makeService(client, [80])
        const body = { spec: { '$setElementOrder/ports': 'x' } }
        client.expect.refused(await client.patch('services/a', 'strategic', body), {
          code: 500,
          message: 'expected a []interface {}, but received a string',
        })
      },
    },
    {
      name: 'the order must name a field',
      source: order,
      async run(client) {
        await makeService(client, [80])
        client.expect.refused(
          await client.patch('services/a', 'strategic', { spec: { $setElementOrder: [{ port: 80 }] } }),
          { code: 400, reason: 'BadRequest', message: 'invalid patch format of setElementOrder list' },
        )
        const unknown = { spec: { '$setElementOrder/none': [{ port: 80 }] } }
        client.expect.refused(await client.patch('services/a', 'strategic', unknown), {
          code: 500,
          message: 'unable to find api field in struct ServiceSpec for the json field "none"',
        })
      },
    },
    {
      name: 'a list is replaced if one of its elements has the directive',
      source: directives,
      async run(client) {
        await makeService(client, [80, 81])
        const body = { spec: { ports: [{ $patch: 'replace' }, { port: 82 }] } }
        client.expect.same(portsOf(await client.patch('services/a', 'strategic', body)), [82])
      },
    },
    {
      name: 'an element is deleted before another with its key is added',
      source: directives,
      async run(client) {
        await makeService(client, [80, 81])
        const body = {
          spec: {
            ports: [
              { port: 81, $patch: 'delete' },
              { port: 81, name: 'new' },
            ],
          },
        }
        const answer = await client.patch('services/a', 'strategic', body)
        client.expect.answer(answer, 200, { spec: { ports: [{ port: 81, name: 'new' }, { port: 80 }] } })
      },
    },
    {
      name: 'an element cannot have the directive merge',
      source: directives,
      async run(client) {
        await makeService(client, [80])
        const body = { spec: { ports: [{ port: 80, $patch: 'merge' }] } }
        client.expect.refused(await client.patch('services/a', 'strategic', body), {
          code: 500,
          message: 'merging lists cannot yet be specified in the patch',
        })
      },
    },
    {
      name: 'elements of a list must have the same type',
      source: directives,
      async run(client) {
        await makeService(client, [80])
        client.expect.refused(await client.patch('services/a', 'strategic', { spec: { ports: [[]] } }), {
          code: 500,
          message:
            'list element types are not identical: [[map[name:p80 port:80 protocol:TCP targetPort:80]] [[]]]',
        })
      },
    },
    {
      name: 'a map is replaced by the directive',
      source: directives,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' }, data: { k: 'v' } })
        const answer = await patch('configmaps/a', 'strategic', { data: { $patch: 'delete', l: 'w' } })
        expect.answer(answer, 200, { data: undefined })
      },
    },
    {
      name: 'a map keeps only the retained keys',
      source: directives,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' }, data: { k: 'v', l: 'w' } })
        const answer = await patch('configmaps/a', 'strategic', { data: { $retainKeys: ['k', 'm'], m: 'x' } })
        expect.answer(answer, 200)
        expect.same(answer.body.data, { k: 'v', m: 'x' })
      },
    },
    {
      name: 'patched keys must be retained',
      source: directives,
      async run({ make, patch, expect }) {
        await make('configmaps', { metadata: { name: 'a' }, data: { k: 'v' } })
        for (const data of [{ $retainKeys: ['k'], l: 'w' }, { $retainKeys: 'k' }]) {
          expect.refused(await patch('configmaps/a', 'strategic', { data }), {
            code: 400,
            reason: 'BadRequest',
            message: 'invalid patch format of retainKeys',
          })
        }
      },
    },
    {
      name: 'the source of a volume is replaced by retained keys',
      source: types,
      async run(client) {
        const containers = [{ name: 'one', image: 'x:1' }]
        const spec = { containers, volumes: [{ name: 'v', emptyDir: {} }] }
        await client.make('podtemplates', {
          metadata: { name: 'a' },
          template: { metadata: { labels: { app: 'a' } }, spec },
        })
        const volumes = (volume: object) => ({ template: { spec: { volumes: [{ name: 'v', ...volume }] } } })
        const body = volumes({ $retainKeys: ['name', 'configMap'], configMap: { name: 'c' } })
        client.expect.answer(await client.patch('podtemplates/a', 'strategic', body), 200, {
          template: { spec: { volumes: [{ name: 'v', emptyDir: undefined, configMap: { name: 'c' } }] } },
        })
      },
    },
    {
      name: 'deleteFromPrimitiveList is a list for a field',
      source: directives,
      async run({ make, patch, expect }) {
        await make('secrets', { metadata: { name: 'a', finalizers: ['x.example/a'] } })
        const metadata = { $deleteFromPrimitiveList: ['x.example/a'] }
        expect.refused(await patch('secrets/a', 'strategic', { metadata }), {
          code: 400,
          reason: 'BadRequest',
          message: 'invalid patch format of primitive list',
        })
        const text = { '$deleteFromPrimitiveList/finalizers': 'x.example/a' }
        expect.answer(await patch('secrets/a', 'strategic', { metadata: text }), 200, {
          metadata: { finalizers: ['x.example/a'] },
        })
      },
    },
    {
      name: 'a set has each value once, those of the patch in its order',
      source: order,
      async run({ make, patch, expect }) {
        const [a, b, c] = ['x.example/a', 'x.example/b', 'x.example/c']
        await make('secrets', { metadata: { name: 'a', finalizers: [a, b] } })
        const answer = await patch('secrets/a', 'strategic', { metadata: { finalizers: [c, b, c] } })
        expect.answer(answer, 200, { metadata: { finalizers: [c, a, b] } })
      },
    },
    {
      name: 'the selector of a PodDisruptionBudget is replaced as a whole',
      source: 'k8s.io/api policy/v1/types.go @ v0.36.3, patchStrategy',
      async run({ make, patch, expect }) {
        const spec = (matchLabels: object) => ({ spec: { selector: { matchLabels } } })
        await make('poddisruptionbudgets', { metadata: { name: 'a' }, ...spec({ a: 'b' }) })
        const answer = await patch('poddisruptionbudgets/a', 'strategic', spec({ c: 'd' }))
        expect.answer(answer, 200)
        expect.same(specOf(answer)?.selector, { matchLabels: { c: 'd' } })
      },
    },
    {
      name: 'a patch that removes the uid has no effect',
      source: 'k8s.io/apiserver pkg/registry/rest/update.go @ v0.36.3',
      async run({ make, patch, expect }) {
        const { metadata } = await make('configmaps', { metadata: { name: 'a' }, data: { k: 'v' } })
        const answer = await patch('configmaps/a', 'strategic', {
          $patch: 'replace',
          metadata: { name: 'a' },
        })
        expect.answer(answer, 200, { metadata: { uid: metadata.uid }, data: undefined })
      },
    },
  ],
}

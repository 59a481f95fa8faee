import type { CaseGroup } from '../case.js'

const kep = 'KEP-1693'
const containers = [{ name: 'c', image: 'i' }]

/** Warnings of the server. */
export const warnings: CaseGroup = {
  name: 'warnings',
  cases: [
    {
      name: 'a deprecated kind causes a warning',
      source: `${kep}; k8s.io/kubernetes pkg/apis/core @ v1.36.3, Endpoints`,
      async run({ get, expect }) {
        const { headers } = await get('endpoints')
        expect.same(
          headers.warning,
          '299 - "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"',
        )
      },
    },
    {
      name: 'a deprecated node label causes a warning',
      source: 'k8s.io/kubernetes pkg/registry/core/pod/strategy.go @ v1.36.3',
      async run({ post, expect }) {
        const spec = { containers, nodeSelector: { 'beta.kubernetes.io/os': 'linux' } }
        const answer = await post('pods', { metadata: { name: 'a' }, spec })
        expect.answer(answer, 201)
        expect.same(
          answer.headers.warning,
          '299 - "spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use \\"kubernetes.io/os\\" instead"',
        )
      },
    },
    {
      name: 'a valid request causes no warning',
      source: kep,
      async run({ post, expect }) {
        const { headers } = await post('configmaps', { metadata: { name: 'a' } })
        expect.same(headers.warning, undefined)
      },
    },
    {
      name: 'an error can have a warning, too',
      source: kep,
      async run({ post, expect }) {
        const { status, headers } = await post('configmaps', { metadata: { name: 'Not' }, unknown: 'x' })
        expect.same(
          { status, warning: headers.warning },
          { status: 422, warning: '299 - "unknown field \\"unknown\\""' },
        )
      },
    },
  ],
}

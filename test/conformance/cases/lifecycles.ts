import type { Case, CaseGroup } from '../case.js'
import { refuses } from '../refuses.js'

const source = 'k8s.io/kubernetes pkg/apis/core/validation/validation.go @ v1.36.3'
const tooLong = (seconds: number, grace: number) =>
  `Invalid value: ${seconds}: must be non-negative and less than terminationGracePeriodSeconds (${grace})`
const podOf = (...lifecycles: object[]) => ({
  automountServiceAccountToken: false,
  containers: lifecycles.map((lifecycle, index) => ({ name: `c${index}`, image: 'i', lifecycle })),
})
const sleep = (seconds: number) => ({ sleep: { seconds } })

/** A Pod whose sleep is within its grace period. */
const accepts = (name: string, spec: object): Case => ({
  name,
  source,
  async run({ make }) {
    await make('pods', { metadata: { name: 'a' }, spec })
  },
})

/** Lifecycle handlers that sleep, and stop signals. */
export const lifecycles: CaseGroup = {
  name: 'lifecycles',
  cases: [
    refuses(
      'a handler must not sleep longer than the default grace period',
      'pods',
      { kind: 'Pod' },
      { spec: podOf({ preStop: sleep(60) }, { postStart: sleep(-1) }, { preStop: sleep(30) }) },
      `spec.containers[0].lifecycle.preStop.sleep: ${tooLong(60, 30)}`,
      `spec.containers[1].lifecycle.postStart.sleep: ${tooLong(-1, 30)}`,
    ),
    refuses(
      'a sidecar must not sleep longer than its pod’s grace period',
      'pods',
      { kind: 'Pod' },
      {
        spec: {
          ...podOf({}),
          terminationGracePeriodSeconds: 5,
          initContainers: [
            { name: 's', image: 'i', restartPolicy: 'Always', lifecycle: { preStop: sleep(6) } },
          ],
        },
      },
      `spec.initContainers[0].lifecycle.preStop.sleep: ${tooLong(6, 5)}`,
    ),
    accepts('a handler may sleep as long as the grace period, or not at all', {
      ...podOf({ preStop: sleep(60) }, { preStop: sleep(0) }),
      terminationGracePeriodSeconds: 60,
    }),
    {
      name: 'a stop signal is removed, and a lifecycle with nothing else',
      source: 'k8s.io/kubernetes pkg/api/pod/util.go @ v1.36.3',
      async run({ make, expect }) {
        const spec = {
          ...podOf({ stopSignal: 'SIGUSR1', preStop: sleep(1) }, { stopSignal: 'SIGUSR1' }),
          os: { name: 'linux' },
          initContainers: [{ name: 'i', image: 'i', lifecycle: { stopSignal: 'SIGUSR1' } }],
        }
        const { spec: made } = await make('pods', { metadata: { name: 'a' }, spec })
        const { containers, initContainers } = made as Record<string, { lifecycle?: object }[]>
        const shown = [...(containers ?? []), ...(initContainers ?? [])].map(({ lifecycle }) => lifecycle)
        expect.same(shown, [{ preStop: sleep(1) }, undefined, undefined])
      },
    },
  ],
}

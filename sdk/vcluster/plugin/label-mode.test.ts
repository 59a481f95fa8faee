import t from 'tap'
import { inProcessTransport } from '../../../simulator/in-process-transport.js'
import { VirtualClock } from '../../../testing/clock/virtual-clock.js'
import { createApiServer } from '../../../testing/index.js'
import { createClient } from '../../engine/client/create-client.js'
import { pods } from '../../engine/kube/builtin.js'
import { ApiError } from '../../engine/kube/error.js'
import { silentLogger } from '../../engine/observe/logger.js'
import type { TransportRequest } from '../../engine/transport/transport.js'
import { type FindLabelModeOptions, findLabelMode } from './label-mode.js'

const namespace = 'default'
const env = { KUBERNETES_SERVICE_HOST: '10.0.0.1', HOSTNAME: 'vc-0' }

/** The label mode that a plugin finds in a pod whose syncer has the image. */
async function found(image: string, options: Partial<FindLabelModeOptions> = {}, failures: Error[] = []) {
  const server = await createApiServer()
  const transport = inProcessTransport(server)
  const container = (name: string, image: string) => ({ name, image })
  const containers = [container('example', 'example:0.20.0'), container('syncer', image)]
  await createClient({ transport }).create(pods, {
    metadata: { namespace, name: 'vc-0' },
    spec: { containers },
  })
  const { signal } = new AbortController()
  const request = async (call: TransportRequest) => {
    const failure = failures.shift()
    if (failure) throw failure
    return transport.request(call)
  }
  const clock = new VirtualClock()
  const mode = findLabelMode({
    env,
    logger: silentLogger,
    clock,
    signal,
    configured: undefined,
    host: { ...transport, request },
    namespace,
    ...options,
  })
  await clock.advance(120_000)
  try {
    return await mode
  } finally {
    await server.close()
  }
}

void t.test('an unknown label mode is read from the image of the syncer in the same pod', async (t) => {
  const table = [
    ['ghcr.io/loft-sh/vcluster-pro:0.20.1', 'hashed'],
    ['ghcr.io/loft-sh/vcluster-oss:v0.20.0-beta.5', 'hashed'],
    [`registry.example:5000/vcluster:0.20.4@sha256:${'a'.repeat(64)}`, 'hashed'],
    ['ghcr.io/loft-sh/vcluster-pro:0.21.0', 'reserved'],
    ['ghcr.io/loft-sh/vcluster-pro:0.36.1', 'reserved'],
    ['ghcr.io/loft-sh/vcluster-pro:latest', 'reserved'],
    ['ghcr.io/loft-sh/vcluster-pro', 'reserved'],
    ['registry.example:0.20/vcluster', 'reserved'],
  ] as const
  for (const [image, mode] of table) t.equal(await found(image), mode, image)
})

void t.test('an API server that is down is asked again, and one that refuses is not', async (t) => {
  const answer = (code: number) => new ApiError({ code, message: 'not now' })
  const failures = [new Error('connection refused'), answer(503), answer(429)]
  t.equal(await found('vcluster:0.20.0', {}, failures), 'hashed')
  t.same(failures, [])
  t.equal(await found('vcluster:0.20.0', {}, [answer(403)]), 'reserved')
})

void t.test('a pod that the plugin may not read is named with what to do', async (t) => {
  const warnings: unknown[][] = []
  const logger = { ...silentLogger, warn: (...line: unknown[]) => void warnings.push(line) }
  await found('vcluster:0.20.0', { logger }, [new ApiError({ code: 403, message: 'no' })])
  t.match(warnings, [[{ pod: 'default/vc-0' }, /cannot be read: allow .* to get pods .* set labelMode/]])
})

void t.test('the image is read only if the label mode is unknown, and only in a pod', async (t) => {
  t.equal(await found('vcluster:0.20.0', { configured: 'reserved' }), 'reserved')
  t.equal(await found('vcluster:0.20.0', { env: { HOSTNAME: 'vc-0' } }), 'reserved')
  t.equal(await found('vcluster:0.20.0', { env: { ...env, HOSTNAME: 'laptop' } }), 'reserved')
  t.equal(await found('vcluster:0.20.0', { env: { ...env, HOSTNAME: 'x', POD_NAME: 'vc-0' } }), 'hashed')
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { GrpcClient } from '../../engine/grpc/client.js'
import { methodsOf } from '../../engine/grpc/service.js'
import { HealthDefinition, ServingStatus } from '../../engine/health/proto/gen/health.js'
import { silentLogger } from '../../engine/observe/logger.js'
import { noMetrics } from '../../engine/observe/metrics.js'
import { systemClock } from '../../engine/time/clock.js'
import { CallRunner } from '../calls/call-runner.js'
import { CnpgServer } from './cnpg-server.js'

void t.test('a stream of the health gets the end of the plugin', async (t) => {
  const socketFolder = await mkdtemp(join(tmpdir(), 'cnpg-'))
  t.teardown(() => rm(socketFolder, { recursive: true }))
  const program = { logger: silentLogger, clock: systemClock }
  const runner = new CallRunner({ plugin: 'a', metrics: noMetrics, ...program })
  const server = new CnpgServer({ name: 'a.example.org', methods: [], runner, ...program })
  const client = new GrpcClient({ address: `unix:${await server.listen({ socketFolder })}` })
  const statuses: ServingStatus[] = []
  const { check, watch } = methodsOf(HealthDefinition)
  const isServing = new Promise<void>((resolve) => {
    const cancel = client.stream(watch, { service: '' }, ({ status }) => {
      statuses.push(status)
      if (status === ServingStatus.SERVING) resolve()
      else cancel()
    })
  })
  await isServing
  t.strictSame(await client.call(check, { service: '' }), { status: ServingStatus.SERVING })
  await server.close(0)
  t.strictSame(statuses, [ServingStatus.SERVING, ServingStatus.NOT_SERVING])
  client.close()
})

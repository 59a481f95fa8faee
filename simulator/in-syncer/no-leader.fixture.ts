// The program of a plugin that fails when vcluster becomes the leader.
import { GrpcServer } from '../../sdk/engine/grpc/server.js'
import { PluginDefinition } from '../../sdk/vcluster/remote/proto/gen/v2.js'

const server = new GrpcServer({ maxRequestBytes: 4 * 2 ** 20 })
server.serve(PluginDefinition, {
  initialize: () => ({}),
  getPluginConfig: () => ({ config: '{}' }),
  setLeader: () => {
    throw new Error('no leader')
  },
})
const { port } = await server.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`1|1|tcp|127.0.0.1:${port}|grpc|\n`)

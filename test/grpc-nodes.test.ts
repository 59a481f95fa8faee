// The gRPC client and server on each Node that the package is tried on: their HTTP/2 differs, for example in the order
// in which an answer and a reset are sent.
import t from 'tap'
import { root } from './dev-run.js'
import { run } from './run-program.js'

const programs = (process.env.NODE_PROGRAMS ?? '').split(/\s+/).filter(Boolean)
const skip = programs.length === 0 && 'NODE_PROGRAMS is not set: export NODE_PROGRAMS=$(.ci/nodes)'

void t.test('gRPC on each Node', { skip }, async (t) => {
  for (const program of programs) {
    const version = (await run(root, [program, '--version'])).trim()
    const flags = ['--import=./scripts/load-typescript.mjs', '--conditions=vcluster-plugin-sdk:source']
    const test = run(root, [program, ...flags, 'sdk/engine/grpc/grpc.test.ts'])
    await t.resolves(test, version)
  }
})

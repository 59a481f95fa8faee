import t from 'tap'
import { RealTimeWork } from './real-time-work.js'

/** Work in a process with these resources at this time. */
function workWith(resources: string[]) {
  const process = { resources, nowMs: 0 }
  return {
    process,
    work: new RealTimeWork(
      () => process.resources,
      () => process.nowMs,
    ),
  }
}

void t.test('a file operation and an import are pending work', (t) => {
  const { work, process } = workWith(['Immediate', 'PipeWrap'])
  t.equal(work.isPending(), false)
  for (const resource of ['FSReqPromise', 'FSReqCallback', 'CloseReq', 'MessagePort']) {
    process.resources = ['Immediate', resource]
    t.equal(work.isPending(), true, resource)
  }
  process.resources = ['Immediate', 'TCPSocketWrap', 'Timeout']
  t.equal(work.isPending(), false)
  t.end()
})

void t.test('the message port of a worker thread is not pending work', (t) => {
  const { work, process } = workWith(['MessagePort'])
  t.equal(work.isPending(), false, 'open before the run')
  process.resources = ['MessagePort', 'MessagePort']
  t.equal(work.isPending(), true)
  process.nowMs = 10_000
  t.equal(work.isPending(), false, 'open for longer than an import')
  process.resources = ['MessagePort', 'MessagePort', 'MessagePort']
  t.equal(work.isPending(), true, 'an import while the worker runs')
  t.end()
})

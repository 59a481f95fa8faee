import t from 'tap'
import { ApiError } from '../kube/error.js'
import { errorReport } from './error-report.js'
import { causedBy, ownFrames, sdkFoldersOf } from './own-frames.js'

const options = { from: '/home/me/plugin', sdk: ['/home/me/sdk/sdk/'] }
const stack = `TypeError: no
    at file:///%zz (file:///%zz:1:1)
    at JSON.parse (<anonymous>)
    at get (/home/me/plugin/node_modules/lodash/get.js:1:2)
    at DownMirror.translateMetadata (file:///home/me/sdk/sdk/vcluster/syncer/translator/translator.ts:190:5)
    at Car.transform (file:///home/me/plugin/src/car%20syncer.ts:12:34)
    at async /home/me/other/shared.ts:7:1
    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)
    at async a (/home/me/plugin/src/a.ts:1:1)
    at b (/home/me/plugin/src/b.ts:1:1)`

void t.test('the frames of Node, of packages and of the SDK are left out', async (t) => {
  t.strictSame(ownFrames(stack, options), [
    'Car.transform (src/car syncer.ts:12:34)',
    '/home/me/other/shared.ts:7:1',
    'a (src/a.ts:1:1)',
  ])
  t.strictSame(ownFrames(stack, { ...options, maxFrames: 1 }), ['Car.transform (src/car syncer.ts:12:34)'])
  t.strictSame(ownFrames('no stack at all', options), [])
})

void t.test('the outermost error that has own frames counts', async (t) => {
  const wrapped = `TypeError: explained\n    at explain (/home/me/sdk/sdk/engine/kube/frozen-error.ts:1:1)${causedBy}${stack}`
  t.strictSame(ownFrames(wrapped, { ...options, maxFrames: 1 }), ['Car.transform (src/car syncer.ts:12:34)'])
  const thrown = `Error: outer\n    at outer (/home/me/plugin/src/outer.ts:3:3)${causedBy}${stack}`
  t.strictSame(ownFrames(thrown, options), ['outer (src/outer.ts:3:3)'])
})

void t.test("the SDK's folders are known in its sources and its package, and not in a bundle", async (t) => {
  const clone = ['sdk', 'apiserver', 'simulator', 'testing', 'cli'].map((folder) => `/clone/${folder}/`)
  t.strictSame(sdkFoldersOf('file:///clone/sdk/engine/observe/own-frames.ts'), clone)
  const [first] = sdkFoldersOf(
    'file:///p/node_modules/vcluster-plugin-sdk/dist/sdk/engine/observe/own-frames.js',
  )
  t.equal(first, '/p/node_modules/vcluster-plugin-sdk/dist/sdk/')
  t.strictSame(sdkFoldersOf('file:///plugin/main.mjs'), [])
  t.strictSame(ownFrames('E\n    at f (/plugin/main.mjs:1:1)', { from: '/plugin', sdk: [] }), [
    'f (main.mjs:1:1)',
  ])
})

void t.test('an error is reported with its place, that of an API server or a network without', async (t) => {
  const error = Object.assign(new Error('no'), { stack })
  t.strictSame(errorReport(error, { ...options, maxFrames: 1 }), {
    message: 'no',
    frames: ['Car.transform (src/car syncer.ts:12:34)'],
  })
  const refused = Object.assign(new Error('no', { cause: Object.assign(error, { code: 'ECONNREFUSED' }) }))
  t.strictSame(errorReport(refused, options), { message: 'no', frames: [] })
  const denied = Object.assign(new ApiError({ message: 'denied', code: 403 }), { stack })
  t.strictSame(errorReport(denied, options), { message: 'denied', frames: [] })
  t.strictSame(errorReport('thrown text', options), { message: 'thrown text', frames: [] })
  t.strictSame(errorReport(undefined, options), { message: 'undefined', frames: [] })
})

void t.test('a logged error without its prototype is reported in the same way', async (t) => {
  const logged = { type: 'TypeError', message: 'no', stack }
  t.match(errorReport(logged, options), { message: 'no', frames: { length: 3 } })
  t.match(errorReport({ ...logged, type: 'AbortError' }, options), { frames: { length: 0 } })
})

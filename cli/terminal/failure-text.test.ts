import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { ApiError, PluginError } from '../../sdk/engine/kube/error.js'
import { NetworkError } from '../../sdk/engine/kube/network-error.js'
import { writeNamed } from '../machine/write-named.js'
import { failureText } from './failure-text.js'

const thrown = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

void t.test('an expected failure is one sentence without a stack', (t) => {
  t.equal(failureText(new PluginError('INVALID_KUBECONFIG', 'no context')), 'no context')
  t.equal(failureText(new NetworkError('GET /version: refused')), 'GET /version: refused')
  t.equal(failureText(new ApiError({ message: 'pods is forbidden', code: 403 })), 'pods is forbidden')
  t.end()
})

void t.test('a file that cannot be read or written is named with what to do', async (t) => {
  const dir = t.testdir({ file: '' })
  const [file, below, missing] = [join(dir, 'file'), join(dir, 'file', 'x'), join(dir, 'no', 'x')]
  const said = await Promise.all([thrown(mkdir(below)), thrown(writeFile(missing, '')), thrown(mkdir(file))])
  t.strictSame(said.map(failureText), [
    `cannot create the folder ${below}: a part of its path is a file, not a folder (ENOTDIR); check the path`,
    `cannot open ${missing}: it does not exist, or its folder cannot have new files (ENOENT); check the path`,
    `cannot create the folder ${file}: it exists already (EEXIST); choose another place, or remove it`,
  ])
  const full = Object.assign(new Error('x'), { code: 'ENOSPC', syscall: 'copyfile', path: '/a', dest: '/b' })
  t.equal(
    failureText(full),
    'cannot write /b: the disk is full (ENOSPC); free some space, or choose another place',
  )
  t.match(
    failureText(Object.assign(new Error('x'), { code: 'ENOSPC', syscall: 'write' })),
    /^cannot write a file: the disk is full/,
  )
})

void t.test('a file on a full disk is named', { skip: !existsSync('/dev/full') }, async (t) => {
  const said = failureText(await thrown(writeNamed('/dev/full', 'text')))
  t.equal(said, 'cannot write /dev/full: the disk is full (ENOSPC); free some space, or choose another place')
})

void t.test('an error of a mistake in the command has its stack', (t) => {
  const error = new TypeError('x is undefined')
  t.equal(failureText(error), error.stack)
  t.equal(failureText('text'), 'text')
  t.end()
})

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { BoundaryKind } from './boundary.js'
import { launchOf } from './launch.js'
import { makeRunFolder } from './run-folder.js'

/** A script that tries what a hostile program without the limits of Node would try, and prints what worked. */
const attempts = `
import fs from 'node:fs'
import os from 'node:os'
const [, own, operator, secret] = process.argv
const worked = []
const attempt = (name, action) => { try { action(); worked.push(name) } catch {} }
attempt('signal the operator', () => process.kill(Number(operator), 0))
attempt('change the priority of the operator', () => os.setPriority(Number(operator), os.getPriority(Number(operator))))
attempt('read the environment of the operator', () => fs.readFileSync('/proc/' + operator + '/environ'))
attempt('open the memory of the operator', () => fs.openSync('/proc/' + operator + '/mem', 'r'))
attempt('list the open files of the operator', () => fs.readdirSync('/proc/' + operator + '/fd'))
attempt('read a file of the operator', () => fs.readFileSync(secret))
attempt('write to the file of the program', () => fs.appendFileSync(own, ' '))
attempt('write to the program of Node', () => fs.closeSync(fs.openSync(process.execPath, 'r+')))
console.log(JSON.stringify({ worked }))
setTimeout(() => {}, 20_000)
`

const limitMs = 30_000
const maxText = 4_096

/** Why a boundary does not hold on this machine; undefined if it holds. */
export async function probeBoundary(
  kind: Exclude<BoundaryKind, 'none'>,
  node: string,
): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'boundary-'))
  try {
    const [program, secret] = [join(folder, 'probe.mjs'), join(folder, 'secret')]
    await writeFile(program, attempts, { mode: 0o400 })
    await writeFile(secret, 'secret', { mode: 0o400 })
    return await probe(kind, { node, program, secret })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

interface ProbeFacts {
  readonly node: string
  readonly program: string
  readonly secret: string
}

async function probe(kind: BoundaryKind, { node, program, secret }: ProbeFacts): Promise<string | undefined> {
  const { folder, file, remove } = await makeRunFolder(kind, program)
  try {
    const args = [file, String(process.pid), secret]
    const { command, args: given, uid, gid } = launchOf(kind, { folder, file, node, args, network: false })
    const child = spawn(command, given, {
      cwd: folder,
      env: pathOnly(),
      detached: true,
      timeout: limitMs,
      killSignal: 'SIGKILL',
      ...(uid !== undefined && { uid, gid }),
    })
    return problemOf(await printed(child))
  } finally {
    await remove()
  }
}

/** The environment of a launch, which must find the programs of util-linux. The program itself gets none of it. */
export const pathOnly = (): { PATH: string } => ({
  PATH: process.env.PATH ?? '/usr/sbin:/usr/bin:/sbin:/bin',
})

function printed(child: ChildProcess): Promise<{ stdout: string; stderr: string }> {
  const texts = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]?.on('data', (chunk) => {
      texts[stream] = `${texts[stream]}${chunk}`.slice(0, maxText)
      // The operator must be able to end a process: without its answer, the time limit does not either.
      if (texts.stdout.includes('\n') && !child.kill('SIGKILL')) texts.stdout = ''
    })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.once('close', () => resolve(texts))
  })
}

function problemOf({ stdout, stderr }: { stdout: string; stderr: string }): string | undefined {
  const [, list] = /^\{"worked":\[(.*)\]\}$/m.exec(stdout) ?? []
  if (list === undefined) return stderr.trim().split('\n')[0]?.trim() || 'it could not be started'
  return list === '' ? undefined : `a process could ${list.replaceAll('"', '').replaceAll(',', ', ')}`
}

import { fileURLToPath } from 'node:url'
import { isWholeRun } from '../whole-run.js'

/** The folder of a chart of these tests. */
export const chartFolder = (name: string) => fileURLToPath(new URL(`charts/${name}`, import.meta.url))

/** The engine, or why there is none. */
export const engine = process.env.HELM_ENGINE ?? ''
export const missingEngine =
  engine === '' && 'HELM_ENGINE is not set: export HELM_ENGINE=$(npm run --silent helm-engine)'

/** The helm programs, oldest first, or why there are none. */
export const programs = (process.env.HELM_PROGRAMS ?? '').split('\n').filter(Boolean)
export const missingPrograms =
  programs.length === 0 && 'HELM_PROGRAMS is not set: export HELM_PROGRAMS=$(.ci/helm)'

/** Why a program is not tried at each change: the newest one is, and the older one in releases.test.ts. */
export const isNightly = (at: number) => !isWholeRun && at < programs.length - 1 && 'npm run test:all runs it'

/** The environment of helm: a command ends before it would be worth to collect its garbage. */
export const neverCollects = { GOGC: 'off', GOMEMLIMIT: '1GiB' }

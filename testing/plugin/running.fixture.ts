import type { Test } from 'tap'
import { isNotFound } from '../../sdk/engine/kube/error.js'
import { type Register, type TestPlugin, type TestPluginOptions, testPlugin } from './test-plugin.js'

/** Starts a plugin on embedded clusters. It stops when the test ends. */
export async function running(t: Test, register: Register, options?: TestPluginOptions): Promise<TestPlugin> {
  const test = await testPlugin(register, options)
  t.teardown(() => test.stop())
  return test
}

/** Whether an object that is asked for is not there. */
export async function isGone(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked
    return false
  } catch (error) {
    if (isNotFound(error)) return true
    throw error
  }
}

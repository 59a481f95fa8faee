import type { Test } from 'tap'
import { isNotFound } from '../../sdk/engine/kube/error.js'
import { type Register, type TestPlugin, type TestPluginOptions, testPlugin } from './test-plugin.js'

/** Starts a plugin on embedded clusters. It stops when the test ends. */
export async function running(t: Test, register: Register, options?: TestPluginOptions): Promise<TestPlugin> {
  const test = await testPlugin(register, options)
  t.teardown(() => test.stop())
  return test
}

/** Whether a read of an object finds none. */
export async function isGone(read: Promise<unknown>): Promise<boolean> {
  try {
    await read
    return false
  } catch (error) {
    if (isNotFound(error)) return true
    throw error
  }
}

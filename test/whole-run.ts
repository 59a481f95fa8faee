/** Whether all tests run, not only those of each change (`npm run test:all`, or a test file that is named). */
export const isWholeRun = process.env.TEST_ALL === '1'

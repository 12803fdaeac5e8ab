// Loaded before a program that is to believe it is RECALL_BENCH_NOW.
const { now } = Date
const ahead = Date.parse(process.env['RECALL_BENCH_NOW'] ?? '') - now()
Date.now = () => now() + ahead

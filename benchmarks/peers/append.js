// Appends a record as the first prototypes did: JSON.stringify and appendFileSync. Prints seconds of processor time each.
const fs = require("fs");
const [, , file, record, times] = process.argv;
const value = JSON.parse(fs.readFileSync(record, "utf8"));
const before = process.cpuUsage();
for (let i = 0; i < Number(times); i++) fs.appendFileSync(file, JSON.stringify(value) + "\n");
const used = process.cpuUsage(before);
console.log((used.user + used.system) / 1e6 / Number(times));

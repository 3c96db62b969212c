// The newest twenty records under an intent, as a script finds them: readline over the whole file. Prints their ids.
const fs = require("fs");
const readline = require("readline");
const [, , file, intent] = process.argv;
(async () => {
  const newest = [];
  for await (const line of readline.createInterface({ input: fs.createReadStream(file), crlfDelay: Infinity })) {
    const record = JSON.parse(line);
    if (record.intent_id === intent) {
      newest.push(record.id);
      if (newest.length > 20) newest.shift();
    }
  }
  console.log(JSON.stringify(newest.reverse()));
})();

"""Small programs, written for these tests, in languages of which no sources are at hand everywhere."""

from __future__ import annotations

from types import MappingProxyType

_TS = """
import { readFile, writeFile } from "fs";
import path from "path";

interface City { name: string; population: number; sister?: City }

const LIMIT = 100;

export async function load(file: string, limit: number = LIMIT): Promise<City[]> {
  const text = await readFile(path.join("data", file), "utf-8");
  const rows = text.split("\\n").filter((row) => row.length > 0 && !row.startsWith("#"));
  const found: City[] = [];
  for (const row of rows) {
    const [name, population] = row.split(",");
    if (found.length >= limit || name === undefined) { break; }
    found.push({ name, population: parseInt(population, 10) });
  }
  return found;
}

export class Atlas {
  private cities: Map<string, City> = new Map();

  add(city: City, replace: boolean): boolean {
    if (this.cities.has(city.name) && !replace) { return false; }
    this.cities.set(city.name, city);
    return true;
  }

  total(factor: number): number {
    let sum = 0;
    for (const city of this.cities.values()) { sum += city.population * factor; }
    return sum > LIMIT ? sum : LIMIT - 1;
  }

  async save(file: string): Promise<void> {
    const lines = [...this.cities.values()].map((city) => `${city.name},${city.population}`);
    await writeFile(file, lines.join("\\n"), "utf-8");
  }
}

function rank(city: City, least: number): number {
  if (city.population === least) { return 0; }
  return city.name.substr(1) > "m" ? least - 1 : least + 2;
}

function isSmall(city: City, least: number): boolean {
  let most = 0;
  if (city.name === "x") { most = least; } else { most = rank(city, 3); }
  if (city.population < most || rank(city, least) >= LIMIT) { return true; }
  return false;
}

export const small = (cities: City[]) => cities.filter(function (city) {
  return new Set([isSmall(city, 3)]).has(rank(city, 2) > 1);
});

const clamp = (value, most) => value > most ? most : value;

export function widest(cities: City[]): number {
  let width;
  if (cities.length > LIMIT) { width = clamp(cities.length, 80); } else { width = clamp(LIMIT, cities.length); }
  for (var at = 0; at < cities.length; at++) {
    var wide = clamp(cities[at].name.length, LIMIT);
    if (wide !== width) { width = wide + 1; }
  }
  const shown = clamp(width, 9);
  return shown === width ? width : clamp(shown, width - 1);
}
"""
_JS = (
    _TS.replace(": Promise<City[]>", "")
    .replace(": Promise<void>", "")
    .replace("interface City { name: string; population: number; sister?: City }\n", "")
)
_JS += """
const os = require("os");
const { clip } = require("./text");
const local = (size) => clip(os.homedir(), size);

exports.home = (size) => local(size > 2 ? size : 2);
exports.all = (key) => Object.keys(exports).map(function (name) { return this.size < name.length ? key : name; }, os);
"""
for _typed in (": string", ": number", ": City[]", ": boolean", ": Map<string, City>", ": City", "private "):
    _JS = _JS.replace(_typed, "")
_GO = """
package atlas

import (
	"errors"
	"fmt"
	"strings"
)

const limit = 100

type City struct {
	Name       string
	Population int
}

var errMissing = errors.New("no such city")

func parse(line string, most int) (City, error) {
	parts := strings.Split(line, ",")
	if len(parts) != 2 || len(line) > most {
		return City{}, errMissing
	}
	total := 0
	for i, digit := range parts[1] {
		if i > 9 || digit < '0' {
			break
		}
		total = total*10 + int(digit-'0')
	}
	return City{Name: parts[0], Population: total}, nil
}

func (c City) Larger(other City, factor int) bool {
	return c.Population*factor > other.Population && c.Name != other.Name
}

func Load(text string) []City {
	var found []City
	for _, line := range strings.Split(text, "\\n") {
		city, err := parse(line, limit)
		if err != nil {
			fmt.Println("skipped", line, err)
			continue
		}
		found = append(found, city)
	}
	return found
}

type index struct {
	cities map[string]*City
	names  []string
	last   int
}

func newIndex(names []string, most int) (made *index, err error) {
	made = &index{names: names, last: most, cities: make(map[string]*City)}
	if names == nil || len(names) == 0 {
		return
	}
	for i := 0; i < len(names); i++ {
		city := &City{Name: names[i], Population: i}
		made.cities[names[i]] = city
	}
	switch most {
	case 1:
		err = errMissing
		return
	default:
		return
	}
}

func (x *index) has(name string) bool {
	for _, known := range x.names {
		if known == name {
			return true
		}
	}
	return false
}

func (x *index) drop(name string, quiet bool) error {
	city, _ := x.cities[name]
	if city == nil && quiet == false {
		return fmt.Errorf("no city %s", name)
	} else if city != nil && x.last > 0 {
		x.last--
	}
	if _, ok := x.cities[name]; ok {
		delete(x.cities, name)
	}
	found := x.has(name)
	if found && name != "" {
		x.note(name, true)
	}
	return nil
}

func (x *index) note(name string, isGone bool) {
	x.last += len(name)
	fmt.Println(name, isGone, x.last)
}
"""
_JAVA = """
package atlas;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import static org.maps.Scales.WIDE;

class Atlas {
    private static final int LIMIT = 100;
    private final List<String> names = new ArrayList<>();
    private int total = 0;

    boolean add(String name, int population) {
        if (names.contains(name) || names.size() >= LIMIT) {
            return false;
        }
        names.add(name);
        total += population;
        return true;
    }

    int count(String prefix, int most) {
        int found = 0;
        for (String name : names) {
            if (name.startsWith(prefix) && found < most) {
                found += 1;
            }
        }
        return found * 2 - 1;
    }

    String join(String separator, boolean reversed) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < names.size(); i++) {
            text.append(names.get(i)).append(separator);
            if (text.length() > 80) {
                break;
            }
        }
        return reversed ? text.reverse().toString() : text.toString();
    }

    public void write(Appendable out, String separator) throws IOException {
        out.append(join(separator, false));
    }

    protected void close() throws Exception {
        names.clear();
    }

    boolean same(String one, String other, boolean strict) {
        Objects.requireNonNull(other, "nothing to compare with");
        if (!(strict && Objects.equals(one, other)) || strict == true && !(total < WIDE)) {
            return one != null ? one.length() > org.maps.Scales.narrow(total) : strict;
        }
        return Objects.toString(one, "none").equals(other);
    }

    private static class Sheet {
        private Sheet(int size) {
            fold(size, 2);
        }

        static void fold(int times, int more) {
            new Runnable() {
                public void run() {
                    turn(times, more);
                }

                private void turn(int left, int right) {
                    System.out.println(left - right);
                }
            }.run();
        }
    }

    Atlas(int total, Atlas other) {
        super();
        this.total = total;
        this.next = other;
        this.limits = new int[] {total, LIMIT};
    }

    Atlas next;
    private final Atlas first = this.find("first", 1);
    private int limits[] = new int[] {1, 2};

    boolean isFull(int most) {
        if (this.total == most) {
            return true;
        }
        return false;
    }

    boolean isNear(Object other) {
        if (other instanceof Atlas && !names.isEmpty()) {
            return false;
        }
        return true;
    }

    Atlas find(String name, int depth) {
        if (depth > LIMIT) {
            return this.next;
        } else if (names.contains(name)) {
            return this;
        }
        return this.next == null ? this.first : this.next.find(name, depth + 1);
    }

    List<String> sorted(String text, int most) {
        names.remove(text);
        names.sort((one, other) -> { return one.compareTo(other); });
        return new ArrayList<String>(names.subList(most, names.size()));
    }
}
"""
_RS = """
use std::collections::HashMap;

const LIMIT: usize = 100;

pub struct City { name: String, population: u64 }

pub fn parse(line: &str, most: usize) -> Option<City> {
    let parts: Vec<&str> = line.split(',').collect();
    if parts.len() != 2 || line.len() > most {
        return None;
    }
    let population = parts[1].parse::<u64>().ok()?;
    Some(City { name: parts[0].to_string(), population: population * 10 + 1 })
}

pub fn load(text: &str) -> HashMap<String, City> {
    let mut found = HashMap::new();
    for line in text.lines() {
        if let Some(city) = parse(line, LIMIT) {
            if city.population > 10 && !found.contains_key(&city.name) {
                println!("added {} at {}", city.name, found.len());
                found.insert(city.name.clone(), city);
            }
        }
    }
    found
}
"""

_C = """
#include <stdio.h>
#include <string.h>

#define LIMIT 100
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#ifdef WITH_NAMES
# define SHOW(city) printf("%s: %d\\n", (city)->name, \\
                           (city)->population)
#else
# define SHOW(city) printf("%d\\n", (city)->population)
#endif

struct city { char name[40]; int population; };

static int parse(struct city *city, const char *line, int most) {
  const char *comma = strchr(line, ',');
  if (comma == NULL || comma - line >= 40 || strlen(line) > most) {
    return -1;
  }
  memcpy(city->name, line, comma - line);
  city->name[comma - line] = 0;
  city->population = 0;
  while (*++comma >= '0' && *comma <= '9') {
    city->population = city->population * 10 + *comma - '0';
  }
  return 0;
}

int load(struct city *cities, const char **lines, int count) {
  int total = 0, i;
  for (i = 0; i < count && total < LIMIT; i++) {
    if (parse(&cities[total], lines[i], LIMIT) != 0) {
      fprintf(stderr, "skipped %s\\n", lines[i]);
      continue;
    }
    SHOW(&cities[total]);
    total += 1;
  }
  return LARGER(total, 1) << 1 | 1;
}
"""

CORPORA = MappingProxyType({"c": _C, "ts": _TS, "js": _JS, "go": _GO, "java": _JAVA, "rs": _RS})

#!/bin/sh
# Prints the folder that has LuaJIT's lua.h, or plain Lua 5.1's; nothing where there is none.
folder=$(pkg-config --variable=includedir luajit 2>/dev/null)
for i in "$folder" /usr/include/luajit-2.1 /usr/include/lua5.1; do
  if [ -n "$i" ] && [ -e "$i/lua.h" ]; then echo "$i" && exit; fi
done

"""Headless Chromium driven over its debugging pipe, and its screenshots as pixels. No packages needed."""
import base64
import collections
import json
import os
import select
import struct
import subprocess
import time
import zlib


class Browser:
    """One page at a time. console: what the page logged as warning or error, and exceptions it did not catch."""

    def __init__(self, profile_folder, width=1300, height=1000):
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def take_descriptors():  # the browser reads from 3 and writes to 4
            one, two = os.dup(to_browser), os.dup(from_browser)
            os.dup2(one, 3)
            os.dup2(two, 4)

        self.process = subprocess.Popen(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--hide-scrollbars",
             "--force-color-profile=srgb", f"--user-data-dir={profile_folder}", "about:blank"],
            preexec_fn=take_descriptors, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.session, self.console = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def close(self):
        os.close(self.write_end)  # the browser ends with its pipe
        self.process.wait()

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._note(answer)

    def _receive(self):
        end = time.time() + 120
        while b"\0" not in self.buffer:
            if not select.select([self.read_end], [], [], max(0, end - time.time()))[0]:
                raise RuntimeError("the browser does not answer")
            read = os.read(self.read_end, 1 << 20)
            if not read:
                raise RuntimeError("the browser ended")
            self.buffer += read
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def _note(self, event):
        parameters = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            self.console.append(parameters["exceptionDetails"].get("exception", {}).get("description", "exception"))
        elif event.get("method") == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.console.append(" ".join(str(a.get("value", a.get("description"))) for a in parameters["args"]))
        elif event.get("method") == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.console.append(parameters["entry"]["text"])

    def open(self, path):
        self.console = []
        self.call("Page.navigate", url=f"file://{path}")
        while self.run("document.readyState") != "complete":
            time.sleep(0.05)

    def run(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def box(self, selector, index=0):
        """(x, y, width, height) of an element in the document."""
        return self.run(f"(() => {{ const b = document.querySelectorAll({json.dumps(selector)})[{index}]"
                        ".getBoundingClientRect(); return [b.x + scrollX, b.y + scrollY, b.width, b.height]; })()")

    def mouse(self, kind, x, y, **more):
        """At a place of the document, which is scrolled into view."""
        self.run(f"scrollTo(0, {max(0, y - 300)})")
        top = self.run("scrollY")
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y - top, **more)
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def screenshot(self, box, file=None):
        x, y, width, height = box
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True,
                                          clip={"x": x, "y": y, "width": width, "height": height, "scale": 1})["data"])
        if file:
            file.write_bytes(data)
        return Picture(data)


class Picture:
    """Pixels of a PNG as Chromium writes it: 8 bits, RGB or RGBA, not interlaced."""

    def __init__(self, data):
        position, packed = 8, b""
        while position < len(data):
            length, kind = struct.unpack(">I4s", data[position:position + 8])
            body = data[position + 8:position + 8 + length]
            if kind == b"IHDR":
                self.width, self.height, depth, color = struct.unpack(">IIBB", body[:10])
                assert depth == 8 and color in (2, 6), "not a PNG of the expected kind"
                channels = 4 if color == 6 else 3
            packed += body if kind == b"IDAT" else b""
            position += length + 12
        raw, stride = zlib.decompress(packed), self.width * channels
        before, lines = bytes(stride), []
        for y in range(self.height):
            start = y * (stride + 1)
            before = unfilter(raw[start], raw[start + 1:start + 1 + stride], before, channels)
            lines.append(before)
        self.bytes = b"".join(lines)
        self.colors = collections.Counter(zip(*(self.bytes[c::channels] for c in range(3))))  # (r, g, b) to pixels

    def count(self, color, tolerance=40):
        """Pixels near a colour given as #rrggbb or rgb(r, g, b)."""
        wanted = ([int(color[i:i + 2], 16) for i in (1, 3, 5)] if color.startswith("#")
                  else [int(part) for part in color[4:-1].split(",")[:3]])
        return sum(pixels for made, pixels in self.colors.items()
                   if all(abs(a - b) <= tolerance for a, b in zip(made, wanted)))

    def inked(self):
        """Share of pixels that differ from the most frequent one."""
        return 1.0 - self.colors.most_common(1)[0][1] / (self.width * self.height)


def unfilter(kind, line, before, step):
    """A row of a PNG from its filtered bytes and the row above."""
    if kind == 0:
        return line
    if kind == 2:
        return bytes((a + b) & 255 for a, b in zip(line, before))
    row = bytearray(line)
    for i in range(len(row)):
        left, corner = (row[i - step], before[i - step]) if i >= step else (0, 0)
        up = before[i]
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + up) // 2
        else:
            sides = left + up - corner
            guess = min((abs(sides - left), 0, left), (abs(sides - up), 1, up), (abs(sides - corner), 2, corner))[2]
        row[i] = (row[i] + guess) & 255
    return bytes(row)

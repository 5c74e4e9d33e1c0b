# submits "held"
import asyncio

import inklings


async def connect():
    await asyncio.open_connection("127.0.0.1", params["tcp"])


try:
    asyncio.run(connect())
except (OSError, RuntimeError, AttributeError):
    inklings.submit("held")
